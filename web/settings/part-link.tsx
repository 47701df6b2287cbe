import { Anchor, Paper, Text, Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from './settings.module.css';

/** Screens to which a tab of «Configuración» links. */
const PARTS = {
  security: { to: '/privacidad', title: 'Datos personales', state: 'Buscar, exportar, bloquear o anonimizar los de una persona' },
  database: { to: '/exportar-datos', title: 'Exportar Datos', state: 'Pedidos, revendedores y transportistas en Excel o CSV' },
} as const;

/** Link from the VAT card to «Para facturar». */
export const ToInvoice = () => (
  <Anchor renderRoot={(props) => <Link {...props} to="/facturables" />} underline="always" size="sm" mt="sm" display="inline-block">
    Ver lo que hay para facturar
  </Anchor>
);

/** Card that links to a separate screen. */
export function PartLink({ part }: { part: keyof typeof PARTS }) {
  const { to, title, state } = PARTS[part];
  return (
    <Paper component="section" aria-label={title}>
      <div className={classes.head}>
        <Title order={2} size="h3">
          <Link to={to} className={classes.opener}>
            {title}
          </Link>
        </Title>
        <Text size="sm" c="dimmed" className={classes.state}>
          {state}
        </Text>
        <IconChevronRight size={18} stroke={1.7} aria-hidden className={classes.chevron} />
      </div>
    </Paper>
  );
}
