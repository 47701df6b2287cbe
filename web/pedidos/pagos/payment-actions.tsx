import { Button, Group, Stack, Text } from '@mantine/core';
import { IconBrandWhatsapp, IconExternalLink, IconQrcode } from '@tabler/icons-react';
import { useState } from 'react';
import { getPago } from '../../../contract/pagar/pagar.ts';
import { NO_CONNECTION, useApi } from '../../api.ts';
import { OnlyHere, useShared } from '../../session/only-here.tsx';
import { fechaCercana } from '../../ui/format/format.ts';
import { CopyButton } from '../../ui/page/copy-button.tsx';
import { toast } from '../../ui/page/toast.tsx';
import { copyPaymentLink, type Payable, whatsappAddress } from './payment-link.ts';

// Prevents the payment site from controlling this window through `window.opener`.
const NEW_TAB = { target: '_blank', rel: 'noopener noreferrer' } as const;

type Props = {
  pedido: Payable;
  link: string;
  /** Focuses «Pagar ahora» when the dialog opens. */
  focus?: boolean;
  /** True if another button on the screen is the primary button. */
  quiet?: boolean;
};

export function PaymentActions({ pedido, link, focus = false, quiet = false }: Props) {
  // Draws the message anew once the network is open.
  useShared(link);
  return (
    <Stack>
      <Group>
        <Button
          component="a"
          href={link}
          {...NEW_TAB}
          variant={quiet ? 'default' : 'filled'}
          leftSection={<IconExternalLink size={16} aria-hidden />}
          data-autofocus={focus || undefined}
        >
          Pagar ahora
        </Button>
        <Button
          component="a"
          href={whatsappAddress(pedido, link)}
          {...NEW_TAB}
          variant="default"
          leftSection={<IconBrandWhatsapp size={16} aria-hidden />}
        >
          WhatsApp
        </Button>
        <CopyButton copy={() => copyPaymentLink(link)}>Copiar enlace</CopyButton>
      </Group>
      <PaymentHints link={link} />
    </Stack>
  );
}

/** Hints about a payment link: whether it works elsewhere, when the order arrives, and its QR code. */
export function PaymentHints({ link }: { link: string }) {
  const shared = useShared(link);
  return (
    <>
      <OnlyHere link={link} />
      <Arrival link={link} />
      {shared && <Qr link={shared} />}
    </>
  );
}

/** Promised day if the order is paid today, the same as on its payment page. */
function Arrival({ link }: { link: string }) {
  const token = link.split('/').at(-1) ?? '';
  const day = useApi(getPago, { params: { token } }).data?.data.fecha_si_paga;
  return day ? <Text>Si se paga hoy, llega el {fechaCercana(day)}.</Text> : null;
}

/** QR code of the link, drawn on demand, because its library is a separate chunk. */
function Qr({ link }: { link: string }) {
  const [image, setImage] = useState<string>();

  async function draw() {
    try {
      const { toDataURL } = await import('qrcode');
      setImage(await toDataURL(link, { margin: 2, width: 400 }));
    } catch {
      toast.error(NO_CONNECTION);
    }
  }

  if (!image) {
    return (
      <Button
        variant="subtle"
        size="compact-sm"
        style={{ alignSelf: 'start' }}
        leftSection={<IconQrcode size={16} aria-hidden />}
        onClick={() => void draw()}
      >
        Mostrar código QR
      </Button>
    );
  }
  return (
    <Group gap="md" wrap="nowrap">
      <img
        src={image}
        width={160}
        height={160}
        alt="Código QR con el enlace de pago"
        style={{ borderRadius: 'var(--mantine-radius-default)' }}
      />
      <Text c="dimmed">Quien lo lea con la cámara de su teléfono abre la página de pago.</Text>
    </Group>
  );
}
