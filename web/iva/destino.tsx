import { Button, Text } from '@mantine/core';
import { ponerIntracomunitaria } from '../../contract/facturables/facturables.ts';
import { mayBeSupply, taxRegimen } from '../../contract/iva/territory.ts';
import { getPedido, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.ts';

/** Explains the VAT of an order that goes abroad; renders nothing for Spain. */
export default function Destino({ pedido, canSay }: { pedido: Pedido; canSay: boolean }) {
  const save = useMutate(ponerIntracomunitaria, { failure: 'No se pudo cambiar', invalidates: [getPedido] });
  const isSupply = pedido.iva?.some(({ tipo }) => tipo === 'intracomunitaria') ?? false;
  const regimen = isSupply ? 'intracomunitaria' : taxRegimen(pedido);
  const put = async (es: boolean) => {
    const yes = await confirm({
      title: es ? '¿Va sin IVA, a una empresa de otro país?' : '¿Lleva el IVA de aquí?',
      message: es
        ? `Solo si el número ${pedido.cliente_nif ?? ''} está en VIES y guardas el justificante del transporte. Va en la casilla 59 y en el modelo 349.`
        : 'El precio no cambia: el IVA va dentro.',
      confirm: es ? 'Va sin IVA' : 'Con IVA',
    });
    if (yes) save.mutate({ body: { pedido_id: pedido.id, es } });
  };
  if (regimen === 'desconocido')
    return <Text>No se reconoce el país «{pedido.cliente_pais}»: lleva el IVA de aquí. Escríbelo de otra forma.</Text>;
  if (regimen !== 'ue' && regimen !== 'intracomunitaria') return null;
  return (
    <>
      <Text>
        {isSupply ? 'Entrega intracomunitaria, sin IVA.' : `A ${pedido.cliente_pais ?? 'este destino'}, con el IVA de aquí.`}{' '}
        {!isSupply && !mayBeSupply(pedido) && 'Si es una empresa, escribe su número de IVA en el NIF.'}
      </Text>
      {canSay && (isSupply || mayBeSupply(pedido)) && (
        <Button size="compact-xs" variant="default" loading={save.isPending} onClick={() => void put(!isSupply)}>
          {isSupply ? 'Poner el IVA de aquí' : 'Es una entrega intracomunitaria'}
        </Button>
      )}
    </>
  );
}
