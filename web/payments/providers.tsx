import { Button, Text, Title } from '@mantine/core';
import { IconCreditCard, IconDeviceMobile } from '@tabler/icons-react';
import { useEffect } from 'react';
import { type PagoPublico, pagarConRedsys, pagarConStripe } from '../../contract/payments.ts';
import { useMutate } from '../api.ts';
import classes from './pagar.module.css';
import { postForm } from './post-form.ts';

const FAILURE = 'No se pudo abrir la página de pago';

/** The ways of paying at once: each leaves for the page of whoever takes the money. */
export function Proveedores({ metodos, token }: { metodos: PagoPublico['metodos']; token: string }) {
  const params = { token };
  const stripe = useMutate(pagarConStripe, { failure: FAILURE, onSuccess: ({ url }) => window.location.assign(url) });
  const redsys = useMutate(pagarConRedsys, { failure: FAILURE, onSuccess: ({ url, fields }) => postForm(url, fields) });
  // «Atrás» in the bank's page may bring this one back as it was left.
  const reset = () => {
    stripe.reset();
    redsys.reset();
  };
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  });
  // Once it has answered, the browser is on its way out: still nothing to press.
  const leaving = stripe.isPending || stripe.isSuccess || redsys.isPending || redsys.isSuccess;
  const chosen = redsys.variables?.body.metodo;
  if (!metodos.stripe && !metodos.redsys) return null;
  return (
    <section className={classes.block} aria-labelledby="al-momento">
      <Title order={2} id="al-momento">
        Pago al momento
      </Title>
      <div className={classes.methods}>
        {metodos.stripe && (
          <Button
            mih={44}
            leftSection={<IconCreditCard size={18} aria-hidden />}
            loading={stripe.isPending || stripe.isSuccess}
            disabled={leaving}
            onClick={() => stripe.mutate({ params })}
          >
            Pagar con tarjeta o Bizum
          </Button>
        )}
        {metodos.redsys && (
          <>
            <Button
              mih={44}
              leftSection={<IconCreditCard size={18} aria-hidden />}
              loading={leaving && chosen === 'tarjeta'}
              disabled={leaving}
              onClick={() => redsys.mutate({ params, body: { metodo: 'tarjeta' } })}
            >
              Pagar con tarjeta
            </Button>
            <Button
              mih={44}
              leftSection={<IconDeviceMobile size={18} aria-hidden />}
              loading={leaving && chosen === 'bizum'}
              disabled={leaving}
              onClick={() => redsys.mutate({ params, body: { metodo: 'bizum' } })}
            >
              Pagar con Bizum
            </Button>
          </>
        )}
      </div>
      <Text size="sm" c="dimmed" mt="xs">
        Te llevamos a la página segura del banco y vuelves aquí al terminar.
      </Text>
    </section>
  );
}
