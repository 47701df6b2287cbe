import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Props = {
  id: string | null | undefined;
  children: ReactNode;
  /** Removes the underline where the name stands alone in its cell. */
  plain?: boolean;
};

/** Links a customer's name to the customer's page; plain text for an order without a customer. */
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
