import { METADATA, type Metadata } from '../../../contract/kit/fields.ts';
import { Facts } from '../format/facts.tsx';
import classes from './metadata.module.css';
import { Section } from './panel.tsx';

export const MetadataList = ({ metadata }: { metadata: Metadata }) => (
  <dl className={classes.list}>
    <Facts of={Object.entries(metadata)} />
  </dl>
);

/** The metadata under a heading; renders nothing if the record has none. */
export const MetadataSection = ({ metadata, className }: { metadata: Metadata | null | undefined; className?: string | undefined }) =>
  metadata && (
    <Section title={METADATA.label} order={3} mb={4} className={className}>
      <MetadataList metadata={metadata} />
    </Section>
  );
