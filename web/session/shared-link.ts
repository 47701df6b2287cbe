import { isLoopback } from '../../contract/text/loopback.ts';
import { toast } from '../ui/page/toast.tsx';

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

/** Says why a link is not handed out, and leads who may to «Abrir desde el teléfono», in a tab of its own because of forms that are open. */
export function refuseLink(): void {
  const action = { label: 'Abrir desde el teléfono', onClick: () => void window.open('/telefono', '_blank', 'noopener') };
  if (mayOpen) toast.error('Ese enlace solo se abre en este ordenador', { action });
  else toast.error('Ese enlace solo se abre en este ordenador: pide a la oficina que abra Enruta a los teléfonos');
}
