import { Button, Menu } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { FORMATOS_ETIQUETA, type FormatoEtiqueta } from '../../contract/etiquetas/fields.ts';
import { labelHref, storeFormat } from './label-href.ts';

type Props = {
  /** Query that selects the orders: ids, or a filter. */
  chosen: Readonly<Record<string, string | undefined>>;
  disabled?: boolean;
  /** Enlarges the button to a touch target of 44 px. */
  thumb?: boolean;
};

/** «Imprimir etiquetas»: offers the paper sizes, each opening a document in a new tab. */
export function LabelMenu({ chosen, disabled = false, thumb = false }: Props) {
  const look = thumb ? { size: 'sm', mih: 44 } : { size: 'xs' };
  return (
    <Menu position="top-start" width={230}>
      <Menu.Target>
        <Button variant="default" {...look} disabled={disabled} leftSection={<IconTag size={16} aria-hidden />}>
          Imprimir etiquetas
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(FORMATOS_ETIQUETA) as FormatoEtiqueta[]).map((formato) => (
          <Menu.Item
            key={formato}
            component="a"
            href={labelHref(chosen, formato)}
            target="_blank"
            rel="noreferrer"
            onClick={() => storeFormat(formato)}
          >
            {FORMATOS_ETIQUETA[formato]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
