import { Button, Text } from '@mantine/core';
import { IconCreditCard, IconDeviceMobile } from '@tabler/icons-react';
import { useEffect } from 'react';
import { type PagoPublico, startPago } from '../../contract/pagar/pagar.ts';
import { useMutate } from '../api.ts';
import { Section } from '../ui/page/section.tsx';
import classes from './pagar.module.css';

/** Immediate payment methods, each on the provider's page. */
export function Providers({ metodos, token }: { metodos: PagoPublico['metodos']; token: string }) {
  const { mutate, reset, variables, isPending, isSuccess } = useMutate(startPago, {
    failure: 'No se pudo abrir la página de pago',
    onSuccess: ({ url, fields }) => (fields ? postForm(url, fields) : window.location.assign(url)),
  });
  // The back button may restore this page from the cache with its buttons disabled.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [reset]);
  // Buttons stay disabled after the answer: the browser is still navigating away.
  const leaving = isPending || isSuccess;
  const offered = Object.entries(metodos).flatMap(([proveedor, methods]) => (methods || []).map((method) => ({ proveedor, ...method })));
  if (offered.length === 0) return null;
  return (
    <Section title="Pago al momento" className={classes.block}>
      <div className={classes.methods}>
        {offered.map(({ proveedor, id, label }) => {
          const Icon = id === 'bizum' ? IconDeviceMobile : IconCreditCard;
          const chosen = variables?.params.proveedor === proveedor && variables.body?.metodo === id;
          return (
            <Button
              key={`${proveedor} ${id}`}
              mih={44}
              leftSection={<Icon size={18} aria-hidden />}
              loading={leaving && chosen}
              disabled={leaving}
              onClick={() => mutate({ params: { token, proveedor }, body: { metodo: id } })}
            >
              {label}
            </Button>
          );
        })}
      </div>
      <Text size="sm" c="dimmed" mt="xs">
        Te llevamos a la página segura del banco y vuelves aquí al terminar.
      </Text>
    </Section>
  );
}

/** Navigates to `url` by submitting a form, as the bank requires. */
function postForm(url: string, fields: Record<string, string>): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = url;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}
