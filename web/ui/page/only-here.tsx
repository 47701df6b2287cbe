import { Text } from '@mantine/core';

export const HOW_ELSEWHERE =
  'En la misma wifi: arranca Enruta con «npm start -- --red» y ábrela en la dirección que imprime. Desde cualquier sitio: ponle una dirección pública (PUBLIC_URL).';

/** True if other machines cannot open the address, because it is a loopback address. */
export const isOnlyHere = (link: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(link, window.location.origin).hostname);

/** Note beside a link meant for other people that opens only on this machine. */
export function OnlyHere({ link }: { link: string }) {
  if (!isOnlyHere(link)) return null;
  return (
    <Text size="sm" role="note">
      <strong>Este enlace solo se abre en este ordenador.</strong> {HOW_ELSEWHERE}
    </Text>
  );
}
