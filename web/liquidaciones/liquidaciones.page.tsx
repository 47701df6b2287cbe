import { Button, Stack } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { useState } from 'react';
import { can } from '../../contract/policy/policy.ts';
import { useSession } from '../session/session.ts';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import { OpenByPerson, OpenLines } from './open.tsx';
import { Statements } from './statements.tsx';
import { ToClose } from './to-close.tsx';

export default function LiquidacionesPage() {
  return can(useSession(), 'liquidacion:manage') ? <Office /> : <Own />;
}

const Own = () => (
  <>
    <PageHeader title="Liquidaciones" subtitle="Lo que ganas con cada pedido, y lo que se te ha liquidado" />
    <Stack gap="xl">
      <OpenLines />
      <Statements everybodys={false} />
    </Stack>
  </>
);

function Office() {
  const [{ persona }, set] = useSearchState({ persona: '', abiertas: 1, page: 1 });
  const [adjusting, setAdjusting] = useState(false);
  const known = /^[\da-f-]{36}$/i.test(persona) ? { persona } : {};
  return (
    <>
      <PageHeader
        title="Liquidaciones"
        subtitle="Lo que ganan revendedores y transportistas, mes a mes"
        actions={
          <Button variant="default" leftSection={<IconAdjustments size={16} aria-hidden />} onClick={() => setAdjusting(true)}>
            Ajuste
          </Button>
        }
      />
      <Stack gap="xl">
        <ToClose />
        {known.persona ? (
          <OpenLines key={known.persona} {...known} onBack={() => set({ persona: '', abiertas: 1 })} />
        ) : (
          <OpenByPerson onChoose={(id) => set({ persona: id, abiertas: 1 })} />
        )}
        <Statements everybodys {...known} />
      </Stack>
      <AdjustDialog opened={adjusting} onClose={() => setAdjusting(false)} {...known} />
    </>
  );
}
