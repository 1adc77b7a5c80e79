/** What `open` shows, and the callbacks that it reports to. */
export interface DialogOptions {
  /** Address of a session that your server has created with `POST /embed/sessions`. It can be opened once. */
  readonly url: string;
  /** Name of the dialog for assistive technology; `Connect your system` by default. */
  readonly title?: string;
  /** Name of its close button; `Close` by default. */
  readonly closeLabel?: string;
  /** Called once, after the dialog was closed, when the end user has connected a system. */
  readonly onSuccess?: (connected: Connected) => void;
  /** Called once, after the dialog was closed without success. */
  readonly onExit?: (exit: Exit) => void;
}

/** The result of a session. Your server checks that `endCustomerId` of the connection is that of the signed-in user. */
export interface Connected {
  readonly connectionId: string;
}

/**
 * Why a dialog was closed: the end user cancelled the authorization; dismissed the dialog; the session had expired, was opened
 * before or was ended by the application; or the page did not load, for example because it cannot be embedded here.
 */
export type ExitReason = 'cancelled' | 'dismissed' | 'ended' | 'unavailable';

export interface Exit {
  readonly reason: ExitReason;
}

/** An open dialog. */
export interface AuthorizationDialog {
  /** Closes it; `onExit` is called with `dismissed`. Does nothing after it was closed. */
  close(): void;
}

/** A message from the page, version 1. Messages of other versions are ignored. */
type Message = { readonly service: 'unified-embed'; readonly version: 1 } & (
  | { readonly event: 'ready' | 'ended' }
  | { readonly event: 'exit'; readonly reason: ExitReason }
  | { readonly event: 'success'; readonly connectionId: string }
);

const LOAD_MS = 10_000;
const DIALOG =
  'display:flex;flex-direction:column;box-sizing:border-box;width:560px;height:760px;max-width:100%;max-height:100%;padding:0;border:0;border-radius:12px;overflow:hidden;box-shadow:0 0 0 100vmax #0008;color-scheme:light dark;background:Canvas;color:CanvasText';
const BUTTON =
  'align-self:end;width:44px;height:44px;padding:0;border:0;background:none;color:inherit;font:24px/1 sans-serif;cursor:pointer';

/**
 * Opens the authorization page in a modal dialog over the current page. The keyboard stays in the dialog, Escape closes it, and
 * the focus returns to where it was. Messages are accepted only from the page of the session.
 *
 * @throws {TypeError} If `url` is not an address that begins with `https:` or `http:`.
 */
export function open({
  url,
  title = 'Connect your system',
  closeLabel = 'Close',
  ...on
}: DialogOptions): AuthorizationDialog {
  const { origin, protocol, searchParams } = new URL(url);
  const embedder = searchParams.get('origin');
  if (!/^https?:$/.test(protocol)) throw new TypeError(`url begins with ${protocol}. Use https.`);
  const dialog = element('dialog', DIALOG, title);
  const button = element('button', BUTTON, closeLabel);
  const frame = element('iframe', 'flex:1;width:100%;border:0', title);
  let reason: ExitReason = 'dismissed';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const finish = (report: () => void) => {
    if (!dialog.isConnected) return;
    clearTimeout(timer);
    removeEventListener('message', receive);
    dialog.close();
    dialog.remove();
    report();
  };
  const exit = () => finish(() => on.onExit?.({ reason }));
  const receive = ({ origin: from, source, data }: MessageEvent<Message | undefined>) => {
    if (from !== origin || source !== frame.contentWindow) return;
    if (data?.service !== 'unified-embed' || data.version !== 1) return;
    clearTimeout(timer);
    if (data.event === 'success') {
      const { connectionId } = data;
      finish(() => on.onSuccess?.({ connectionId }));
    } else if (data.event === 'exit') {
      if (reason !== 'ended') reason = data.reason;
      exit();
    } else if (data.event === 'ended') reason = 'ended'; // The end user reads why, and closes the dialog.
  };
  const giveUp = () => {
    reason = 'unavailable';
    exit();
  };

  // The browser would refuse the frame, without a reason that a script could read.
  const isForeign = embedder !== null && embedder !== location.origin;
  if (isForeign)
    console.error(
      `The session is for pages of ${embedder}; this page has the origin ${location.origin}. Create the session with \`origin: ${location.origin}\`, and register a redirect URI of that origin for the client.`,
    );
  button.type = 'button';
  button.textContent = '×';
  button.onclick = dialog.onclose = exit;
  frame.referrerPolicy = 'no-referrer';
  if (isForeign) timer = setTimeout(giveUp);
  else frame.src = url;
  frame.addEventListener('load', () => (timer ??= setTimeout(giveUp, LOAD_MS)), { once: true });
  addEventListener('message', receive);
  dialog.append(button, frame);
  document.body.append(dialog);
  dialog.showModal();
  return { close: exit };
}

function element<Name extends 'dialog' | 'button' | 'iframe'>(name: Name, style: string, label: string) {
  const made = document.createElement(name);
  // A style set by a script is allowed by every content security policy.
  made.style.cssText = style;
  made.setAttribute('aria-label', label);
  return made;
}
