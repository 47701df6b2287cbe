import { Alert, Button, Group } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { can } from '../../../contract/policy/policy.ts';
import { listPacks, listProducts, type Product, updateProduct } from '../../../contract/products/products.ts';
import { useApi, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';

/** Reason why no pack can be chosen. Offers the remedy to people who may manage products. */
export function NothingToSell() {
  return can(useSession(), 'product:manage') ? <WayOut /> : <Reason sentence="Ahora no hay nada a la venta: avisa a la tienda." />;
}

function WayOut() {
  const { data: products } = useApi(listProducts, {});
  const { data: packs } = useApi(listPacks, {});
  if (!products || !packs) return null;
  const packed = products.data.filter(({ id }) => packs.data.some((pack) => pack.product_id === id && pack.is_active));
  const asleep = packed.find(({ is_active }) => !is_active);
  if (asleep) return <Reason sentence={`El producto «${asleep.name}» está inactivo, y por eso no se vende.`} product={asleep} />;
  if (products.data.length === 0) return <Reason sentence="Todavía no hay productos." link="Crea tu primer producto" />;
  if (packs.data.length > 0) return <Reason sentence="Los packs están inactivos." link="Activa un pack" />;
  return <Reason sentence="Los productos todavía no tienen packs, que es lo que se vende." link="Crea un pack" />;
}

type Props = { sentence: string; link?: string; product?: Product };
function Reason({ sentence, link, product }: Props) {
  const activate = useMutate(updateProduct, { success: 'Producto actualizado', failure: 'No se pudo actualizar el producto' });
  return (
    <Alert color="orange" role="note" p="xs" mb="sm" icon={<IconInfoCircle size={18} aria-hidden />}>
      <Group gap="xs">
        {sentence}
        {product && (
          <Button
            size="compact-sm"
            disabled={activate.isPending}
            onClick={() => activate.mutate({ params: { id: product.id }, body: { is_active: true, version: product.version } })}
          >
            Activarlo
          </Button>
        )}
        {link && (
          <Button component={Link} to="/control-stock" size="compact-sm">
            {link}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
