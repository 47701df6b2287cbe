import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The name of a customer, as a link to their page; plain for an order of nobody. */
export function ClienteLink({ id, children }: { id: string | null | undefined; children: ReactNode }) {
  if (!id) return children;
  return (
    <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/clientes/$id" params={{ id }} preload={false} />}>
      {children}
    </Anchor>
  );
}
