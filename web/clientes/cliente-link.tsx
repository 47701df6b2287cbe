import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Props = {
  id: string | null | undefined;
  children: ReactNode;
  /** Not underlined: in a list, where it stands alone. */
  plain?: boolean;
};

/** The name of a customer, as a link to their page; plain for an order of nobody. */
export function ClienteLink({ id, children, plain = false }: Props) {
  if (!id) return children;
  return (
    <Anchor
      inherit
      {...(!plain && { underline: 'always' })}
      renderRoot={(props) => <Link {...props} to="/clientes/$id" params={{ id }} preload={false} />}
    >
      {children}
    </Anchor>
  );
}
