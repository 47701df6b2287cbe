import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Props = {
  id: string | null | undefined;
  children: ReactNode;
  /** Without underline, for a name alone in its cell. */
  plain?: boolean;
};

/** Customer's name, linked to their page; plain text for an order without a customer. */
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
