/** WebKitGTK, driven by WebDriver: the closest to Safari that runs here. */
import { type ChildProcess, spawn } from 'node:child_process';
import { freePort, waitFor } from '@dostar/tools/servers';

const PROGRAM = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const ENTER = '\uE007';
const TIMEOUT_MS = 60_000;

export interface WebKit extends AsyncDisposable {
  goto(url: string): Promise<void>;
  /** Types into the field with this label. */
  type(label: string, text: string): Promise<void>;
  pressEnter(label: string): Promise<void>;
  /** Clicks a button in the main part of the page. */
  clickButton(name: string): Promise<void>;
  /** Clicks the first link that contains these words. */
  clickLink(words: string): Promise<void>;
  /** Waits for text anywhere on the page. */
  untilText(text: string): Promise<void>;
  /** Waits for text in a message of the open chat. */
  untilMessage(text: string): Promise<void>;
  screenshot(): Promise<Buffer>;
}

export async function startWebKit(): Promise<WebKit> {
  await using stack = new AsyncDisposableStack();
  const display = `:${90 + (process.pid % 100)}`;
  stack.use(startProgram('Xvfb', [display, '-screen', '0', '1280x800x24', '-nolisten', 'tcp']));
  const port = await freePort();
  // Debian's browser sandboxes itself with namespaces, which a container forbids.
  const env = { ...process.env, DISPLAY: display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
  stack.use(startProgram('WebKitWebDriver', [`--port=${port}`], env));
  const driver = `http://127.0.0.1:${port}`;
  await waitFor(async () => (await fetch(`${driver}/status`)).ok, { what: 'WebKitWebDriver', timeoutMs: TIMEOUT_MS });
  const options = { binary: PROGRAM, args: ['--automation'] };
  const capabilities = {
    alwaysMatch: { browserName: 'MiniBrowser', acceptInsecureCerts: true, 'webkitgtk:browserOptions': options },
  };
  const { sessionId } = await call<{ sessionId: string }>(`${driver}/session`, { capabilities });
  const session = `${driver}/session/${sessionId}`;
  stack.defer(async () => void (await fetch(session, { method: 'DELETE' }).catch(() => undefined)));

  async function find(xpath: string): Promise<string> {
    let found: string | undefined;
    const look = async (): Promise<boolean> => {
      const elements = await call<Record<string, string>[]>(`${session}/elements`, { using: 'xpath', value: xpath });
      found = elements[0]?.[ELEMENT];
      return found !== undefined;
    };
    await waitFor(look, { what: xpath, timeoutMs: TIMEOUT_MS, everyMs: 200 });
    return `${session}/element/${found}`;
  }

  function field(label: string): Promise<string> {
    return find(`//*[@aria-label='${label}' or @id=//label[normalize-space()='${label}']/@for]`);
  }

  const owned = stack.move();
  return {
    goto: (url) => call(`${session}/url`, { url }),
    async type(label, text) {
      await call(`${await field(label)}/value`, { text });
    },
    async pressEnter(label) {
      await call(`${await field(label)}/value`, { text: ENTER });
    },
    async clickButton(name) {
      await call(`${await find(`//main//button[normalize-space()='${name}']`)}/click`, {});
    },
    async clickLink(words) {
      await call(`${await find(`//a[contains(., '${words}')]`)}/click`, {});
    },
    untilText: async (text) => void (await find(`//body[contains(., '${text}')]`)),
    untilMessage: async (text) => void (await find(`//*[@role='article' or self::article][contains(., '${text}')]`)),
    screenshot: async () => Buffer.from(await call<string>(`${session}/screenshot`, undefined), 'base64'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Sends a POST with a body, a GET without one. */
async function call<T>(url: string, body: object | undefined): Promise<T> {
  const init = body && { method: 'POST', body: JSON.stringify(body) };
  const { value } = (await (await fetch(url, init)).json()) as { value: T & { error?: string; message?: string } };
  if (value?.error !== undefined) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

function startProgram(name: string, args: string[], env = process.env): AsyncDisposable {
  const program: ChildProcess = spawn(name, args, { env, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()).once('error', () => resolve()));
  return {
    async [Symbol.asyncDispose]() {
      program.kill();
      await ended;
    },
  };
}
