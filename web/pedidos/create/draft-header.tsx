import { Button } from '@mantine/core';
import { confirm } from '../../ui/dialog/confirm.ts';
import { PageHeader } from '../../ui/page/panel.tsx';
import { type Draft, hasContent, type NewPedidoValues } from './draft.ts';

const DISCARD = {
  title: 'Descartar borrador',
  message: 'Se borrará todo lo que has escrito en este formulario.',
  confirm: 'Descartar',
  danger: true,
};

type Props = { title: string; draft: Draft | undefined; values: NewPedidoValues; saving: boolean; onDiscard: () => void };

/** Title of the form of a new order: where its draft comes from, and «Descartar borrador». */
export function DraftHeader({ title, draft, values, saving, onDiscard }: Props) {
  const filled = hasContent(values);
  const origin = draft?.from ? `Copiado del pedido ${draft.from}.` : 'Se ha recuperado el borrador que dejaste a medias.';
  const discard = async () => {
    if (await confirm(DISCARD)) onDiscard();
  };
  return (
    <PageHeader
      title={title}
      subtitle={draft && filled ? origin : undefined}
      actions={
        filled && (
          <Button variant="default" onClick={() => void discard()} disabled={saving}>
            Descartar borrador
          </Button>
        )
      }
    />
  );
}
