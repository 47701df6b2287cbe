import { Alert, Anchor, Button, FileButton, Group, Input, Paper, Stack, Table, Text, Title, UnstyledButton } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { TABS } from '../../contract/settings/setting.ts';
import { getSettings, type ShownSettings, setLogo, testDatabase, testMail } from '../../contract/settings/settings.ts';
import { useApi, useMutate } from '../api.ts';
import { ApiKeys } from '../api-keys/api-keys.tsx';
import { Backups } from '../backups/backups.tsx';
import { BankLine } from '../banco/bank-movements.tsx';
import { Plantillas } from '../envios/plantillas.tsx';
import { useNextStep } from '../nav/first-steps.ts';
import { mayLose, useUnsaved } from '../ui/form/unsaved.ts';
import { useSearchState } from '../ui/list/filters.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import { Webhooks } from '../webhooks/webhooks.tsx';
import { CARDS, type CardName, settingPlace, tabCards } from './cards.ts';
import classes from './settings.module.css';
import { SettingsForm } from './settings-form.tsx';
import '@mantine/core/styles/Table.css';
import '@mantine/core/styles/Alert.css';
import { IconAlertTriangle, IconCheck, IconChevronDown, IconChevronRight, IconPlugConnected } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { shrinkPicture } from '../ui/form/shrink.ts';
import '@mantine/core/styles/Paper.css';

const TAB_LIST = Object.entries(TABS).map(([value, label]) => ({ value, label }));

export default function SettingsPage() {
  const [{ tab, campo }, setState] = useSearchState({ tab: 'general', campo: '' });
  const settings = useApi(getSettings, {}, { staleTime: 0 });
  useNextStep();
  const { tab: current, card } = settingPlace(tab, campo);

  return (
    <>
      <PageHeader title="Configuración" subtitle="Vale para todo el negocio; cada cambio queda en el registro" />
      <PageTabs tabs={TAB_LIST} open={current} onOpen={(value) => setState({ tab: value, campo: '' })}>
        <Stack className={classes.cards} data-in-turn>
          <Loaded
            query={settings}
            failed="No se pudo cargar la configuración"
            waiting={<Skeletons gap="sm" heights={tabCards(current).map(() => 50)} />}
          >
            {({ data }) => <Cards key={current} names={tabCards(current)} asked={card} settings={data} campo={campo} />}
          </Loaded>
          {(current === 'security' || current === 'database') && <PartLink part={current} />}
          {current === 'database' && <Backups />}
          {current === 'integrations' && (
            <>
              <ApiKeys />
              <Webhooks />
            </>
          )}
        </Stack>
      </PageTabs>
    </>
  );
}

type CardsProps = { names: CardName[]; asked: CardName | undefined; settings: ShownSettings; campo: string };

function Cards({ names, asked, settings, campo }: CardsProps) {
  const forms = useRef(new Map<CardName, { current: (() => boolean) | null }>());
  const formOf = (name: CardName) => {
    const known = forms.current.get(name) ?? { current: null };
    forms.current.set(name, known);
    return known;
  };
  useUnsaved(() => [...forms.current.values()].some(({ current }) => current?.()));
  return names.map((name) => {
    const { title, state, missing } = CARDS[name];
    const open = asked ? asked === name : names.length === 1 || missing?.(settings) === true;
    return (
      <SettingCard key={name} title={title} state={state(settings)} open={open} dirty={formOf(name)}>
        <SettingsForm card={name} settings={settings} campo={asked === name ? campo : ''} dirty={formOf(name)}>
          {name === 'tienda' && <LogoField logo={settings.logo} />}
          {name === 'cobros' && <BankLine />}
          {name === 'correo' && <ConnectionTest of="mail" />}
          {name === 'copias' && <ConnectionTest of="database" />}
        </SettingsForm>
        {name === 'entrega' && settings.shipmentFiles && <Plantillas />}
        {name === 'iva' && settings.iva && <ToInvoice />}
      </SettingCard>
    );
  });
}

function ConnectionTest({ of }: { of: 'database' | 'mail' }) {
  const test = useMutate(of === 'database' ? testDatabase : testMail, {
    success: 'Conexión exitosa',
    failure: 'Error de conexión',
    invalidates: [],
    // The server allows the remote host fifteen seconds for each step.
    limit: 60_000,
  });
  return (
    <Stack mt="md">
      <Text>
        {of === 'database'
          ? 'Comprueba la base de datos en la que se guarda todo.'
          : 'Comprueba que el servidor de correo responde, con lo que esté guardado.'}
      </Text>
      <Group gap="md">
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} stroke={1.7} />}
          disabled={test.isPending}
          onClick={() => test.mutate({})}
        >
          {test.isPending ? 'Probando...' : 'Probar conexión'}
        </Button>
      </Group>
      <div aria-live="polite">
        {test.error && (
          <Alert color="red" icon={<IconAlertTriangle size={18} />} title="Error de conexión">
            {test.error.message}
          </Alert>
        )}
        {test.data && (
          <Alert color="green" icon={<IconCheck size={18} />} title="Conexión exitosa">
            <Table withRowBorders={false} verticalSpacing={2}>
              <Table.Tbody>
                {test.data.data.map(({ nombre, valor }) => (
                  <Table.Tr key={nombre}>
                    <Table.Th fw={500}>{nombre}</Table.Th>
                    <Table.Td>{valor}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Alert>
        )}
      </div>
    </Stack>
  );
}

/** Logo of the business, saved as soon as it is chosen. The browser shrinks the logo and gives it a white background, like paper. */
function LogoField({ logo }: { logo: string | null }) {
  const [error, setError] = useState('');
  const reset = useRef<() => void>(null);
  const send = useMutate(setLogo, { failure: 'No se pudo guardar el logo', invalidates: [getSettings] });
  const give = (chosen: string | null) => send.mutate({ body: { logo: chosen } });
  const read = (file: File | null) => {
    if (!file) return;
    reset.current?.();
    setError('');
    void shrinkPicture(file).then(give, () => setError('No se pudo leer la imagen. Elige un logo en JPG, PNG o WebP.'));
  };
  return (
    <Input.Wrapper label="Logo" labelElement="div" description="Sale en tus papeles y en la página de pago del cliente" error={error}>
      <Group gap="sm" mt={8}>
        {logo && <img className={classes.logo} src={logo} alt="Logo de la empresa" />}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={read} resetRef={reset}>
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={send.isPending}>
              {logo ? 'Cambiar logo' : 'Elegir logo'}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button variant="subtle" color="gray" size="xs" disabled={send.isPending} onClick={() => give(null)}>
            Quitar logo
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}

/** Screens to which a tab of «Configuración» links. */
const PARTS = {
  security: { to: '/privacidad', title: 'Datos personales', state: 'Buscar, exportar, bloquear o anonimizar los de una persona' },
  database: { to: '/exportar-datos', title: 'Exportar Datos', state: 'Pedidos, revendedores y transportistas en Excel o CSV' },
} as const;

const ToInvoice = () => (
  <Anchor renderRoot={(props) => <Link {...props} to="/facturables" />} underline="always" size="sm" mt="sm" display="inline-block">
    Ver lo que hay para facturar
  </Anchor>
);

function PartLink({ part }: { part: keyof typeof PARTS }) {
  const { to, title, state } = PARTS[part];
  return (
    <Paper component="section" aria-label={title}>
      <div className={classes.head}>
        <Title order={2} size="h3">
          <Link to={to} className={classes.opener}>
            {title}
          </Link>
        </Title>
        <Text c="dimmed" className={classes.state}>
          {state}
        </Text>
        <IconChevronRight size={18} stroke={1.7} aria-hidden className={classes.chevron} />
      </div>
    </Paper>
  );
}

type Props = {
  title: string;
  /** Current state of the settings, in one line. */
  state: string;
  /** True to open the card. A change to true opens a closed card again. */
  open: boolean;
  /** Returns true if closing would lose unsaved input. */
  dirty?: RefObject<(() => boolean) | null>;
  children: ReactNode;
};

/** Card of «Configuración»: a title and a line of state; a click opens the content in place. */
function SettingCard({ title, state, open, dirty, children }: Props) {
  const [opened, setOpened] = useState(open);
  const [id, body] = [useId(), useId()];
  useEffect(() => {
    if (open) setOpened(true);
  }, [open]);
  const toggle = async () => {
    if (opened && dirty?.current?.() && !(await mayLose())) return;
    setOpened(!opened);
  };
  return (
    <Paper component="section" aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id} size="h3">
          <UnstyledButton
            className={classes.opener}
            aria-describedby={`${id}-state`}
            aria-expanded={opened}
            aria-controls={opened ? body : undefined}
            onClick={() => void toggle()}
          >
            {title}
          </UnstyledButton>
        </Title>
        <Text c="dimmed" id={`${id}-state`} className={classes.state}>
          {state}
        </Text>
        <IconChevronDown size={18} stroke={1.7} aria-hidden className={classes.chevron} data-opened={opened || undefined} />
      </div>
      {opened && (
        <div id={body} className={classes.body}>
          {children}
        </div>
      )}
    </Paper>
  );
}
