import { Button } from '@mantine/core';
import { IconBrandWhatsapp, IconMail, IconPhone } from '@tabler/icons-react';
import type { Contacto } from '../../contract/pagar/pagar.ts';
import { Section } from '../ui/page/section.tsx';
import classes from './pagar.module.css';

/** Contact details of the shop, as links. */
export function Contact({ of: { telefono, email, whatsapp_url } }: { of: Contacto }) {
  const ways = [
    telefono && { href: `tel:${telefono.replace(/[^\d+]/g, '')}`, label: `Llamar al ${telefono}`, Icon: IconPhone },
    whatsapp_url && { href: whatsapp_url, label: 'WhatsApp', Icon: IconBrandWhatsapp },
    email && { href: `mailto:${email}`, label: `Escribir a ${email}`, Icon: IconMail },
  ].filter((way) => !!way);
  if (ways.length === 0) return null;
  return (
    <Section title="¿Tienes alguna duda?" className={classes.block}>
      <div className={classes.methods}>
        {ways.map(({ href, label, Icon }) => (
          <Button
            key={href}
            component="a"
            href={href}
            rel="noreferrer"
            variant="default"
            mih={44}
            leftSection={<Icon size={18} aria-hidden />}
          >
            {label}
          </Button>
        ))}
      </div>
    </Section>
  );
}
