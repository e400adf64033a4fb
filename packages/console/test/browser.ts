import { type Browser, type BrowserContextOptions, type ConsoleMessage, chromium, type Page } from 'playwright-core';
import { CHROMIUM as executablePath, INSTALL_CHROMIUM } from '../../../scripts/chromium.mjs';

export { executablePath };

if (!executablePath) console.warn(`The console is not tested in a browser; ${INSTALL_CHROMIUM} installs one.`);

export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] });
}

/** A page that remembers what must not happen: errors, refused content, requests elsewhere. */
export class WatchedPage {
  readonly page: Page;
  readonly problems: string[] = [];

  private constructor(page: Page, origin: string, ignore: RegExp) {
    this.page = page;
    const note = (text: string) => {
      if (!ignore.test(text)) this.problems.push(text);
    };
    page.on('pageerror', (error) => note(`error: ${error.message}`));
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error') note(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) note(`request: ${url}`);
    });
    page.on('dialog', (dialog) => {
      note(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  /** Opens a page. `ignore` are messages of failures that the test itself causes. */
  static async open(
    browser: Browser,
    origin: string,
    { ignore = /^$/, ...options }: BrowserContextOptions & { ignore?: RegExp } = {},
  ): Promise<WatchedPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    return new WatchedPage(await context.newPage(), origin, ignore);
  }

  /** Opens the link that signs in. */
  async signIn(url: string, token: string, place = ''): Promise<void> {
    await this.page.goto(`${url}/console/#token=${token}`);
    await this.page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
    if (place !== '') await this.go(place);
  }

  async go(place: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(place)}`);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
