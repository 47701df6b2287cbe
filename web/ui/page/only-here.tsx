import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** True if other machines cannot open the address, because it is a loopback address. */
export const isOnlyHere = (link: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(link, window.location.origin).hostname);

/** Link to the section of the guide about opening the program on other devices. */
export const HowElsewhere = () => (
  <Anchor renderRoot={(props) => <Link {...props} to="/ayuda" hash="en-el-móvil" />} inherit underline="always">
    Cómo abrirlo en el móvil
  </Anchor>
);

/** Note beside a link meant for other people that opens only on this machine. */
export function OnlyHere({ link }: { link: string }) {
  if (!isOnlyHere(link)) return null;
  return (
    <Text role="note">
      <strong>Aún solo se abre en este ordenador.</strong> <HowElsewhere />
    </Text>
  );
}
