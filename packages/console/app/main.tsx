import './styles/fonts.css';
import './styles/theme.css';
import './styles/base.css';
import './styles/shell.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { startSession } from './session/session.ts';
import { allowOwnScripts } from './session/trusted-types.ts';
import { applyTheme } from './ui/theme.ts';

allowOwnScripts();
applyTheme();
startSession();
render(<App />, document.getElementById('app')!);
