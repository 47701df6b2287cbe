import { Button, type ButtonProps } from '@mantine/core';
import { IconMessageReply } from '@tabler/icons-react';
import { useState } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import AnswerDialog from '../actions/answer-dialog.tsx';

export function AnswerButton({ pedido, ...look }: { pedido: Pedido } & Pick<ButtonProps, 'size' | 'className'>) {
  const [asking, setAsking] = useState<{ pedido: Pedido; opened: boolean }>();
  return (
    <>
      <Button
        leftSection={<IconMessageReply size={18} stroke={1.8} aria-hidden />}
        {...look}
        onClick={() => setAsking({ pedido, opened: true })}
      >
        Responder
      </Button>
      {asking && (
        <AnswerDialog pedido={asking.opened ? asking.pedido : undefined} onClose={() => setAsking({ ...asking, opened: false })} />
      )}
    </>
  );
}
