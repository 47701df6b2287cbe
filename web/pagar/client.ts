/*
 * Script of the customer's page, which works without it: copies, refreshes the page by itself and says what has changed, and sends forms without
 * leaving the page. Its syntax and its functions are those of browsers of 2021.
 */

const COPIED_MS = 2000;
const NEWS_MS = 8000;
/** Time to the next try, in ms, while the server does not answer. */
const AGAIN_MS = 2500;
const NOT_SENT = 'No se pudo enviar: comprueba la conexión y vuelve a intentarlo.';

/** Starts the script on `document`; returns a function that stops it. */
export function startPage(): () => void {
  const root = document.documentElement;
  const main = document.querySelector('main');
  const news = document.getElementById('novedad');
  if (!main || !news) return () => undefined;
  const stopped = new AbortController();
  const { signal } = stopped;
  const received = new Map(Array.from(main.children, (part) => [part.id, htmlOf(part)]));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let isLost = false;
  let answeredAt = new Date();

  const announce = (text: string) => {
    news.textContent = text;
    clearTimeout(silence);
    silence = setTimeout(() => (news.textContent = ''), NEWS_MS);
  };

  const wait = (ms = Number(main.dataset.refresh) * 1000) => {
    clearTimeout(timer);
    if (ms && !signal.aborted) timer = setTimeout(refresh, ms);
  };

  async function refresh() {
    if (document.hidden) return wait();
    try {
      const html = await read(location.href);
      if (signal.aborted) return;
      if (isLost) news!.textContent = '';
      isLost = false;
      const changed = show(main!, received, html);
      if (changed.length) announce(`Ha cambiado: ${changed.join(', ')}`);
      wait();
    } catch {
      lose();
    }
  }

  function lose() {
    if (signal.aborted) return;
    isLost = true;
    clearTimeout(silence);
    const hour = answeredAt.toLocaleTimeString('es-ES', { hour: '2-digit', minute: '2-digit', timeZone: main!.dataset.zone });
    news!.textContent = `Sin conexión desde las ${hour}: puede haber cambios`;
    wait(AGAIN_MS);
  }

  /** Returns the page at `address`. Throws if the answer is another page, such as the portal of a Wi-Fi network. */
  async function read(address: string, body?: URLSearchParams): Promise<HTMLElement> {
    const reply = await fetch(address, body ? { method: 'POST', body } : {});
    const next = new DOMParser().parseFromString(await reply.text(), 'text/html').querySelector('main');
    if (!next?.querySelector('#cabecera')) throw new Error('not the page');
    answeredAt = new Date();
    return next;
  }

  async function send(form: HTMLFormElement, body: URLSearchParams) {
    const buttons = form.querySelectorAll('button');
    for (const button of buttons) button.disabled = true;
    try {
      const changed = show(main!, received, await read(form.action, body), true);
      const problem = main!.querySelector('[role=alert]');
      if (problem) problem.scrollIntoView({ block: 'center' });
      else if (changed.length) {
        // The head says what has been done; the parts below, such as the IBAN, are what the form was for.
        const head = main!.querySelector('#cabecera');
        head?.scrollIntoView({ block: 'start' });
        announce(`Hecho. ${head?.querySelector('h1')?.textContent ?? ''}`);
      }
      wait();
    } catch {
      for (const button of buttons) button.disabled = false;
      clearTimeout(silence);
      news!.textContent = NOT_SENT;
    }
  }

  function onSubmit(event: SubmitEvent) {
    const form = event.target as HTMLFormElement;
    // FormData lacks the name and value of the button. A browser without `submitter` (Safari before 15.4) sends the form by itself.
    const pressed = event.submitter as HTMLButtonElement | null | undefined;
    if (pressed === undefined) return;
    if (form.hasAttribute('data-leaves')) {
      // After the browser has read the form: a disabled button is not sent.
      setTimeout(() => {
        for (const button of form.querySelectorAll('button')) button.disabled = true;
      });
      return;
    }
    event.preventDefault();
    const body = new URLSearchParams(Array.from(new FormData(form), ([name, value]) => [name, String(value)]));
    if (pressed?.name) body.set(pressed.name, pressed.value);
    void send(form, body);
  }

  async function onClick({ target }: MouseEvent) {
    const button = (target as Element).closest<HTMLElement>('[data-copy], [data-share]');
    const { copy, share } = button?.dataset ?? {};
    if (share)
      return sharePicture(share, main!.querySelector<HTMLImageElement>('figure img')?.src ?? '').catch(() =>
        announce('No se pudo compartir el QR'),
      );
    if (!button || !copy || button.textContent === COPIED) return;
    if (!(await copyText(copy))) return announce('No se pudo copiar');
    const label = button.textContent;
    button.textContent = COPIED;
    announce('Copiado');
    setTimeout(() => (button.textContent = label), COPIED_MS);
  }

  root.classList.add('js');
  if (canShareFiles()) root.classList.add('shares');
  document.addEventListener('submit', onSubmit, { signal });
  document.addEventListener('click', (event) => void onClick(event), { signal });
  addEventListener('offline', lose, { signal });
  addEventListener('online', () => void refresh(), { signal });
  document.addEventListener('visibilitychange', () => void (document.hidden || refresh()), { signal });
  // The back button may restore this page from the cache, with an old state and disabled buttons.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { signal });
  main.querySelector<HTMLFormElement>('form[data-now]')?.submit();
  wait();
  return () => {
    stopped.abort();
    clearTimeout(timer);
    clearTimeout(silence);
  };
}

const COPIED = 'Copiado ✓';

/**
 * Replaces the parts of `main` that differ in `next`, except a part with typed input; with `all`, that part too. `received`: HTML of each part
 * as it arrived. Returns the headings of changed parts.
 */
function show(main: HTMLElement, received: Map<string, string>, next: HTMLElement, all = false): string[] {
  const changed: string[] = [];
  const old = new Map(Array.from(main.children, (part) => [part.id, part]));
  main.dataset.refresh = next.dataset.refresh ?? '';
  let at = main.firstElementChild;
  for (const part of Array.from(next.children)) {
    const was = old.get(part.id);
    const isSame = received.get(part.id) === htmlOf(part);
    if (was && !all && (isSame || isTyped(was))) {
      if (was === at) at = at.nextElementSibling;
      else main.insertBefore(was, at);
      continue;
    }
    received.set(part.id, htmlOf(part));
    if (!isSame) changed.push(part.querySelector('h1, h2')?.textContent ?? '');
    if (was === at) at = at?.nextElementSibling ?? null;
    main.insertBefore(part, at);
    if (was) refocus(was, part);
    was?.remove();
  }
  for (let left = at; left; left = at) {
    at = left.nextElementSibling;
    received.delete(left.id);
    left.remove();
  }
  return changed.filter(Boolean);
}

/** HTML of a part without its key, which differs in each answer. */
const htmlOf = (part: Element) => part.outerHTML.replace(/ name="clave" value="[^"]*"/g, '');

/** True while a field of the part has the focus or another value than at first. */
const isTyped = (part: Element): boolean =>
  part.querySelector('details[open] :focus') !== null ||
  Array.from(part.querySelectorAll('textarea')).some(({ value, defaultValue }) => value !== defaultValue) ||
  Array.from(part.querySelectorAll<HTMLInputElement>('input[type=radio]')).some(
    ({ checked, defaultChecked }) => checked !== defaultChecked,
  );

/** Gives the focus of a replaced part to the same control of the new part. */
function refocus(was: Element, part: Element): void {
  const focused = was.querySelector(':focus');
  if (!focused) return;
  const same = Array.from(part.querySelectorAll<HTMLElement>('a, button, summary')).find(
    ({ textContent }) => textContent === focused.textContent,
  );
  same?.focus();
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers offer the Clipboard API only on secure pages.
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
}

const canShareFiles = () => navigator.canShare?.({ files: [new File([], 'qr.png', { type: 'image/png' })] }) ?? false;

async function sharePicture(name: string, address: string): Promise<void> {
  const blob = await (await fetch(address)).blob();
  await navigator.share({ files: [new File([blob], name, { type: blob.type })] }).catch((error: unknown) => {
    // Closing the share sheet is not an error.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  });
}
