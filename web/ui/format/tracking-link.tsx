import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';

export function TrackingLink({ numero, url }: { numero: string; url: string | null | undefined }) {
  if (!url) return numero;
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit underline="always" aria-label={`Seguir el envío ${numero}`}>
      {numero}
      <IconExternalLink size={13} aria-hidden style={{ verticalAlign: '-1px', marginInlineStart: 4 }} />
    </Anchor>
  );
}
