import { Alert, Button, Group, Paper, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import { bytes, count, number, percent } from './format.tsx';
import { sentencesOf } from './notices.tsx';
import { cancelUploads, clearUploads, isOpenUpload, retryUploads, type Upload, useUploads } from './uploads.ts';

/** Uploads that are listed one by one. */
const maxShown = 8;

const Line = ({ upload }: { readonly upload: Upload }) => {
  const { name, size, share, state } = upload;
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" truncate style={{ flex: 2 }} title={name}>
        {name}
      </Text>
      <Text size="xs" c="dimmed" miw={64} ta="right">
        {bytes(size)}
      </Text>
      <Progress
        value={share * 100}
        animated={state === 'sending'}
        style={{ flex: 3 }}
        aria-label={`Upload of ${name}`}
      />
      <Text size="xs" c="dimmed" miw={60} ta="right">
        {state === 'waiting' ? 'Waiting' : percent(share)}
      </Text>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => cancelUploads([upload])}>
        Cancel<VisuallyHidden> {name}</VisuallyHidden>
      </Button>
    </Group>
  );
};

/** Uploads of an index with the progress of each and of all. */
export const UploadPanel = ({ indexId }: { readonly indexId: string }) => {
  const uploads = useUploads(indexId);
  if (uploads.length === 0) return null;
  const inState = (...states: readonly Upload['state'][]) => uploads.filter(({ state }) => states.includes(state));
  const [open, failed, cancelled, done] = [
    uploads.filter(isOpenUpload),
    inState('failed'),
    inState('cancelled'),
    inState('done'),
  ];
  // Those under way come first.
  const shown = [...inState('sending'), ...inState('waiting')].slice(0, maxShown);
  const total = uploads.reduce((sum, { size }) => sum + Math.max(1, size), 0);
  const sent = uploads.reduce(
    (sum, { size, share, state }) => sum + Math.max(1, size) * (state === 'done' ? 1 : share),
    0,
  );
  return (
    <Paper withBorder p="md" component="section" aria-label="Uploads">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600} role="status">
            {number(done.length)} of {count(uploads.length, 'file')} uploaded
            {open.length > 0 && `, ${percent(sent / total)}`}
            {cancelled.length > 0 && `, ${number(cancelled.length)} cancelled`}
          </Text>
          <Group gap="xs">
            {failed.length + cancelled.length > 0 && (
              <Button size="compact-xs" variant="default" onClick={() => retryUploads([...failed, ...cancelled])}>
                Upload again
              </Button>
            )}
            {open.length > 0 && (
              <Button size="compact-xs" variant="default" onClick={() => cancelUploads(open)}>
                Cancel all
              </Button>
            )}
            {open.length === 0 && (
              <Button size="compact-xs" variant="default" onClick={() => clearUploads(indexId)}>
                Close
              </Button>
            )}
          </Group>
        </Group>
        {open.length > 0 && uploads.length > 1 && (
          <Progress size="lg" value={(sent / total) * 100} aria-label="All uploads" />
        )}
        {shown.map((upload) => (
          <Line key={upload.id} upload={upload} />
        ))}
        {open.length > shown.length && (
          <Text size="xs" c="dimmed">
            {count(open.length - shown.length, 'file')} more
          </Text>
        )}
        {failed.slice(0, maxShown).map(({ id, name, error }) => (
          <Alert key={id} color="red" title={name} role="alert" p="xs">
            <Text size="sm" className="chunk-text">
              {sentencesOf(error)}
            </Text>
          </Alert>
        ))}
        {failed.length > maxShown && (
          <Text size="xs" c="red">
            {count(failed.length - maxShown, 'further file')} could not be uploaded.
          </Text>
        )}
      </Stack>
    </Paper>
  );
};
