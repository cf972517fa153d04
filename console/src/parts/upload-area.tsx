import { Button, Collapse, FileButton, Group, Modal, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { FileJobResponse } from '#client';
import { useSession } from '../session.tsx';
import { readDrop, readInput } from './dropped-files.ts';
import { number } from './format.tsx';
import { KeyValues } from './key-values.tsx';
import { findExisting } from './upload.ts';
import { type ChosenFile, startUploads } from './uploads.ts';

/** Files that were chosen, and those of their names that the index has. */
interface Chosen {
  readonly files: readonly ChosenFile[];
  readonly existing: ReadonlyMap<string, FileJobResponse>;
}

/** Names that a dialog lists. */
const maxNames = 10;

/** Asks what happens to files whose names exist. */
const DuplicateDialog = ({
  chosen,
  onClose,
  onChoice,
}: {
  readonly chosen: Chosen | null;
  readonly onClose: () => void;
  readonly onChoice: (files: readonly ChosenFile[], replaced?: Chosen['existing']) => void;
}) => {
  const { files = [], existing = new Map<string, FileJobResponse>() } = chosen ?? {};
  const names = [...existing.keys()];
  const [first = ''] = names;
  const isOne = names.length === 1;
  return (
    <Modal
      opened={chosen !== null}
      onClose={onClose}
      title={isOne ? `${first} exists` : `${number(names.length)} files exist`}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text size="sm">
          {isOne
            ? 'The index has a file of this name.'
            : `The index has files of these names: ${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ' and others' : ''}.`}{' '}
          If you keep both, searches find the text of both.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onChoice(files.filter(({ name }) => !existing.has(name)))}>
            Skip
          </Button>
          <Button variant="default" onClick={() => onChoice(files)}>
            Keep both
          </Button>
          <Button data-autofocus onClick={() => onChoice(files, existing)}>
            Replace
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};

/** Attribute of an input for folders, which the types of React lack. */
const folderInput: object = { webkitdirectory: '' };

/** Area for files and folders, which uploads what a person drops or chooses. */
export const UploadArea = ({ indexId, onDone }: { readonly indexId: string; readonly onDone: () => void }) => {
  const { client } = useSession();
  const [over, setOver] = useState(false);
  const [hasMetadata, metadataFields] = useDisclosure();
  const [metadata, setMetadata] = useState<FileJobResponse['metadata']>({});
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const start = (files: readonly ChosenFile[], replaced: Chosen['existing'] = new Map()): void =>
    startUploads(indexId, files, { client, metadata: hasMetadata ? metadata : {}, onDone, replaced });
  const choose = async (files: readonly ChosenFile[]): Promise<void> => {
    // Without an answer, the uploads show the error.
    const existing = await findExisting(
      client,
      indexId,
      files.map(({ name }) => name),
    ).catch(() => new Map<string, FileJobResponse>());
    if (existing.size > 0) setChosen({ files, existing });
    else start(files);
  };
  return (
    <>
      <Paper
        withBorder
        p="md"
        ta="center"
        className="drop-area"
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void readDrop(event.dataTransfer).then(choose);
        }}
      >
        <Stack gap="xs" align="center">
          <Group justify="center" gap="xs">
            <Text size="sm">Drop files here, or whole folders, or</Text>
            <FileButton
              multiple
              onChange={(files) => void choose(readInput(files))}
              inputProps={{ 'aria-label': 'Files to upload' }}
            >
              {(props) => (
                <Button size="xs" {...props}>
                  Choose files
                </Button>
              )}
            </FileButton>
            <FileButton
              multiple
              onChange={(files) => void choose(readInput(files))}
              inputProps={{ 'aria-label': 'Folder to upload', ...folderInput }}
            >
              {(props) => (
                <Button size="xs" variant="default" {...props}>
                  Choose a folder
                </Button>
              )}
            </FileButton>
            <Button size="xs" variant="subtle" aria-expanded={hasMetadata} onClick={metadataFields.toggle}>
              Metadata
            </Button>
          </Group>
          <Collapse expanded={hasMetadata}>
            <Stack gap="xs" align="center">
              <Text size="xs" c="dimmed">
                Every row of the files that you add now gets this metadata. Searches can filter by it.
              </Text>
              <KeyValues label="Metadata of the files" onChange={setMetadata} />
            </Stack>
          </Collapse>
        </Stack>
      </Paper>
      <DuplicateDialog
        chosen={chosen}
        onClose={() => setChosen(null)}
        onChoice={(files, replaced) => {
          setChosen(null);
          start(files, replaced);
        }}
      />
    </>
  );
};
