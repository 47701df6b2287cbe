import { isLoopback } from '../../contract/text/loopback.ts';
import type { ToastOptions } from '../ui/page/toast.tsx';

let others: string | undefined;
let mayOpen = false;
/** Stores what the session tells: the address of the program for other devices, and whether this person may open the program to them. */
export function setShared(address: string | undefined, may: boolean): void {
  others = address;
  mayOpen = may;
}

/** True if the link leads to this machine alone, as opened here. */
export const isOnlyHere = (link: string): boolean => isLoopback(new URL(link, location.origin).hostname);

/**
 * The link as another person opens it: with the address for other devices in place of this machine's own name. Undefined if only this
 * machine opens the link. Every link that is copied, drawn as a code or sent passes here; no other file joins a path and `location.origin`.
 */
export function sharedLink(link: string, address = others): string | undefined {
  const { hostname, pathname, search, href } = new URL(link, location.origin);
  if (!isLoopback(hostname)) return href;
  return address && new URL(`${pathname}${search}`, address).href;
}

/** What a toast adds about a link that only this machine opens; who may open the program to others is led there, in a tab of its own because of open forms. */
export function onlyHere(): ToastOptions {
  const action = { label: 'Abrir desde el teléfono', onClick: () => void window.open('/telefono', '_blank', 'noopener') };
  return { title: 'Solo se abre en este ordenador', autoClose: 8000, ...(mayOpen && { action }) };
}
