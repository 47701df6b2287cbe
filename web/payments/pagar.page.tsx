import { Button, Loader, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/Loader.css';
import '@mantine/core/styles/Skeleton.css';
import '@mantine/core/styles/ThemeIcon.css';
import { IconFileSad } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { getEmpresa, getPago, type PagoPublico, simularPago } from '../../contract/pagar/pagar.ts';
import { FINALES } from '../../contract/pedidos/estados.ts';
import { type ApiError, call, useApi, useMutate } from '../api.ts';
import { lazyPart } from '../lazy.ts';
import { Offline } from '../live/offline.tsx';
import { money, setTimeZone } from '../ui/format/format.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { ErrorState } from '../ui/list/error-state.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { Logo } from '../ui/page/logo.tsx';
import { LOOKING_MS } from '../unanswered.ts';
import { Contact } from './contact.tsx';
import { CONFIRMING, message } from './message.ts';
import classes from './pagar.module.css';
import { Postpone } from './postpone.tsx';
import { Progress } from './progress.tsx';
import { Providers } from './providers.tsx';
import { Refunds } from './refunds.tsx';
import { Summary } from './summary.tsx';
import { CopyDatum, Transfer } from './transfer.tsx';

const Delivery = lazyPart(() => import('./delivery.tsx'));
const Parcial = lazyPart(() => import('./parcial.tsx'));

const REFRESH = 20_000;
/** Polling interval in ms while waiting for the provider's notification. */
const REFRESH_CONFIRMING = 3_000;

/** Public page of a payment link: how to pay and, once paid, the order's progress (design, section 4.12). */
export default function PayPage() {
  const { token } = useParams({ from: '/pagar/$token' });
  // The provider sets `pago` on return, but only the provider's notification pays the order.
  const [{ pago: outcome }, setSearch] = useSearchState({ pago: '' });
  const back = outcome === 'ok';
  const { data, error, refetch } = useApi(getPago, { params: { token } }, { refetchInterval: back ? REFRESH_CONFIRMING : REFRESH });
  // Must run before the first render that formats a time.
  if (data) setTimeZone(data.data.zona_horaria);
  return (
    <main className={classes.page}>
      <Offline />
      {data ? (
        <Pedido pago={data.data} token={token} outcome={outcome} onRetry={() => setSearch({ pago: '' }, { replace: true })} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </main>
  );
}

type PedidoProps = { pago: PagoPublico; token: string; outcome: string; onRetry: () => void };

function Pedido({ pago, token, outcome, onRetry }: PedidoProps) {
  const pending = pago.por_pagar;
  const failed = pending && (outcome === 'ko' || pago.intento_fallido);
  const confirming = pending && outcome === 'ok' && !failed;
  const { title, text } = confirming ? CONFIRMING : message(pago);
  // An order to be paid at the door has to be received rather than paid here, so its progress comes first.
  const atDoor = pending && pago.contra_reembolso;
  const course = (
    <>
      <Progress pago={pago} />
      <Postpone pago={pago} token={token} />
      <Suspense>{pago.entrega && <Delivery entrega={pago.entrega} token={token} />}</Suspense>
    </>
  );
  return (
    <>
      <header className={classes.head}>
        <Brand name={pago.empresa} logo={pago.logo} />
        <div aria-live="polite">
          <Title order={1} size="1.625rem">
            {title}
          </Title>
          <Text c="dimmed" mt={4}>
            {text}
          </Text>
        </div>
        {pending && (
          <div className={classes.due}>
            <p className={classes.amount}>{money(pago.pendiente)}</p>
            <CopyDatum name="Importe" text={pago.pendiente.toFixed(2).replace('.', ',')} />
          </div>
        )}
      </header>
      {confirming && (
        <section className={classes.block} aria-label="Confirmando el pago">
          <Loader size="sm" type="dots" aria-hidden />
          <Text size="sm">Si no llegaste a pagar, o el banco lo rechazó, puedes volver a intentarlo.</Text>
          <Button mt="sm" mih={44} variant="default" onClick={onRetry}>
            Volver a las formas de pago
          </Button>
        </section>
      )}
      {failed && (
        <Text role="status" className={classes.block}>
          El pago no se ha completado. Puedes volver a intentarlo o pagar de otra forma.
        </Text>
      )}
      <Suspense>{pago.parcial && <Parcial of={pago.parcial} />}</Suspense>
      <Refunds of={pago.devoluciones} />
      {atDoor && course}
      {pending && <Summary pago={pago} />}
      {pending && !confirming && <Providers metodos={pago.metodos} token={token} />}
      {pending && !confirming && <Transfer pago={pago} token={token} />}
      {pago.simulador && <Simulator token={token} />}
      {!atDoor && course}
      {!pending && <Summary pago={pago} />}
      <Contact of={pago.contacto} />
      {!FINALES.includes(pago.estado) && (
        <Text size="sm" c="dimmed" className={classes.foot}>
          Esta página se actualiza sola: guarda su dirección para ver cómo va tu pedido.
        </Text>
      )}
    </>
  );
}

/** Fake payment, for the demo only. */
function Simulator({ token }: { token: string }) {
  const pay = useMutate(simularPago, {
    failure: 'No se pudo simular el pago',
    achieved: async ({ params }) => {
      const { data } = await call(getPago, { params, limit: LOOKING_MS });
      return data.estado === 'pendiente_pago' ? undefined : ({ success: true, message: '' } as const);
    },
  });
  return (
    <section className={classes.demo} aria-label="Demostración">
      <Text size="sm">Esto es una demostración: no hace falta pagar de verdad.</Text>
      <Button mih={44} color="violet" loading={pay.isPending} onClick={() => pay.mutate({ params: { token } })}>
        Simular pago (demo)
      </Button>
    </section>
  );
}

function Failure({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  if (error.status === 404 || error.status === 422) return <Unknown />;
  return (
    <section className={classes.block}>
      <ErrorState title="No se pudo cargar el pedido" error={error} onRetry={onRetry} />
    </section>
  );
}

/** Unknown link: shows the business and how to contact it. */
function Unknown() {
  const { data } = useApi(getEmpresa, {});
  return (
    <>
      <header>{data && <Brand name={data.empresa} logo={data.logo} />}</header>
      <section className={classes.block}>
        <Title order={1} size="h2" ta="center" mt="md">
          No encontramos este pedido
        </Title>
        <EmptyState
          title="El enlace de pago no existe o ya no está disponible"
          hint="Comprueba que la dirección está completa o pide el enlace otra vez a quien te lo envió."
          icon={<IconFileSad size={20} stroke={1.6} />}
        />
      </section>
      {data && <Contact of={data.contacto} />}
    </>
  );
}

const Brand = ({ name, logo }: { name: string; logo: string | undefined }) => (
  <div className={classes.brand}>
    {logo ? <img className={classes.logo} src={logo} alt="" /> : <Logo size={24} />}
    <Text fw={600}>{name}</Text>
  </div>
);

function Waiting() {
  return (
    <>
      <VisuallyHidden role="status">Cargando...</VisuallyHidden>
      <Skeleton h={128} />
      <Skeleton h={320} />
      <Skeleton h={180} />
    </>
  );
}
