import Theme from 'vitepress/theme-without-fonts';
import './site.css';

// biome-ignore lint/style/noDefaultExport: VitePress requires it
export default Theme;
