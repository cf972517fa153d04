import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Copy } from './copy.tsx';

/** Values that the service returns once. */
export interface Secret {
  readonly title: string;
  readonly values: Readonly<Record<string, string>>;
}

const Values = ({ secret, onClose }: { readonly secret: Secret; readonly onClose: () => void }) => {
  const [isStored, setIsStored] = useState(false);
  return (
    <Stack>
      <Alert color="yellow">This is shown once. Store it now: nobody can read it again.</Alert>
      {Object.entries(secret.values).map(([name, value]) => (
        <div key={name}>
          <Group justify="space-between" mb={4}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Copy text={value} />
          </Group>
          <Code block data-secret className="chunk-text">
            {value}
          </Code>
        </div>
      ))}
      <Group justify="space-between">
        <Checkbox
          label="I have stored it"
          checked={isStored}
          onChange={({ currentTarget }) => setIsStored(currentTarget.checked)}
        />
        <Button onClick={onClose} disabled={!isStored}>
          Done
        </Button>
      </Group>
    </Stack>
  );
};

/** Dialog of values that are shown once. It closes only after a person has said that they are stored. */
export const ShownOnce = ({ secret, onClose }: { readonly secret: Secret | null; readonly onClose: () => void }) => (
  <Modal
    opened={secret !== null}
    onClose={onClose}
    title={secret?.title}
    centered
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
  >
    {secret !== null && <Values secret={secret} onClose={onClose} />}
  </Modal>
);
