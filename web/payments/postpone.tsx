import { Button, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import { lazyPart } from '../lazy.ts';
import { Section } from '../ui/page/section.tsx';
import classes from './pagar.module.css';

const PostponeForm = lazyPart(() => import('./postpone-form.tsx'));

/** Lets the customer postpone the delivery, and shows the request. */
export function Postpone({ pago: { aviso, dias_posibles }, token }: { pago: PagoPublico; token: string }) {
  const [asking, setAsking] = useState(false);
  if (dias_posibles.length === 0) return null;
  return (
    <Section title="Si no vas a estar" className={classes.block}>
      <div aria-live="polite">{aviso && <Text mt="xs">Se lo hemos dicho al transportista: {aviso}</Text>}</div>
      {asking ? (
        <Suspense>
          <PostponeForm token={token} days={dias_posibles} onDone={() => setAsking(false)} />
        </Suspense>
      ) : (
        <Button variant="default" mih={44} mt="xs" fullWidth onClick={() => setAsking(true)}>
          {aviso ? 'Cambiar el día' : 'No voy a estar'}
        </Button>
      )}
    </Section>
  );
}
