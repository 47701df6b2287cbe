import { ActionIcon, Button } from '@mantine/core';
import { IconTableImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { usePhone } from '../../ui/page/use-phone.ts';

/** Link to the import; only an icon on a phone, so that the buttons of a list fit on one line. */
export function ImportLink() {
  const icon = <IconTableImport size={16} aria-hidden />;
  if (usePhone())
    return (
      <ActionIcon component={Link} to="/pedidos/importar" variant="default" size={48} aria-label="Importar">
        {icon}
      </ActionIcon>
    );
  return (
    <Button component={Link} to="/pedidos/importar" variant="default" leftSection={icon}>
      Importar
    </Button>
  );
}
