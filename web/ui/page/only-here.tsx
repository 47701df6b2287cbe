import { Text } from '@mantine/core';

export const HOW_ELSEWHERE =
  'En la misma wifi: arranca Enruta con «npm start -- --red» y ábrela en la dirección que imprime. Desde cualquier sitio: ponle una dirección pública (PUBLIC_URL).';

/** True if the address leads other machines to themselves. */
export const isOnlyHere = (link: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(link, window.location.origin).hostname);

/** Beside a link for others: says that it opens on this machine alone, and what to do. */
export function OnlyHere({ link }: { link: string }) {
  if (!isOnlyHere(link)) return null;
  return (
    <Text size="sm" role="note">
      <strong>Este enlace solo se abre en este ordenador.</strong> {HOW_ELSEWHERE}
    </Text>
  );
}
