import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type IndexCreateTextLanguage, StrataError } from '#client';
import { useSession } from '../session.tsx';
import { Dialog } from './dialogs.tsx';
import { textLanguages } from './text-languages.ts';
import { nameOf } from './words.ts';

/** Dialog that creates an index and opens its files. */
export const CreateIndex = ({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const regions = useQuery({ queryKey: ['regions'], queryFn: () => client.get('/v1/regions'), enabled: opened });
  const models = useQuery({ queryKey: ['models'], queryFn: () => client.get('/v1/models'), enabled: opened });
  const embeddings = (models.data ?? []).filter(({ kind }) => kind === 'embedding');
  const [name, setName] = useState('');
  /** Whether an index has the name, and whether another is wanted. */
  const [isTaken, setIsTaken] = useState(false);
  const [isAnother, setIsAnother] = useState(false);
  const [model, setModel] = useState<string | null>(null);
  const [dimensions, setDimensions] = useState<number | string>('');
  const [metric, setMetric] = useState<'cosine' | 'euclidean'>('cosine');
  const [region, setRegion] = useState<string | null>(null);
  const [language, setLanguage] = useState<IndexCreateTextLanguage>('english');
  return (
    <Dialog
      title="Create an index"
      action="Create"
      opened={opened}
      onClose={onClose}
      disabled={name.trim() === ''}
      run={async () => {
        const created = client.post('/v1/indexes', {
          body: {
            name: name.trim(),
            if_exists: isAnother ? 'create' : 'conflict',
            distance_metric: metric,
            text_language: language,
            ...(dimensions === '' ? {} : { dimensions: Number(dimensions) }),
            embedding_model: model ?? (dimensions === '' ? 'default' : null),
            ...(region === null ? {} : { cloud_region: region }),
          },
        });
        const { id } = await created.catch((error: unknown) => {
          if (error instanceof StrataError && error.code === 'name_taken') setIsTaken(true);
          throw error;
        });
        await queries.invalidateQueries({ queryKey: [organization.organization_id, 'indexes'] });
        await navigate({ to: `/indexes/${id}/files` });
      }}
    >
      {(errorOf) => (
        <>
          <TextInput
            label="Name"
            data-autofocus
            error={errorOf('name')}
            maxLength={100}
            value={name}
            onChange={({ currentTarget }) => {
              setName(currentTarget.value);
              setIsTaken(false);
              setIsAnother(false);
            }}
          />
          {isTaken && (
            <Checkbox
              label="Create another index of this name"
              checked={isAnother}
              onChange={({ currentTarget }) => setIsAnother(currentTarget.checked)}
            />
          )}
          <Select
            label="Embedding model"
            description={embeddings.find(({ id }) => id === model)?.notes ?? 'Turns texts and queries into vectors.'}
            placeholder="Default"
            clearable
            data={embeddings.map(({ id }) => id)}
            value={model}
            onChange={setModel}
          />
          <NumberInput
            label="Dimensions"
            description="Those of the model, if you give none. Give the size of your own vectors if you bring them."
            placeholder={String(embeddings.find(({ id }) => id === model)?.dimensions ?? 'Those of the model')}
            min={1}
            max={4096}
            allowDecimal={false}
            error={errorOf('dimensions')}
            value={dimensions}
            onChange={setDimensions}
          />
          <Select
            label="Distance"
            allowDeselect={false}
            data={(['cosine', 'euclidean'] as const).map((value) => ({ value, label: nameOf(value) }))}
            value={metric}
            onChange={(value) => setMetric(value === 'euclidean' ? value : 'cosine')}
          />
          <Select
            label="Language of texts"
            description="Word forms of this language match each other."
            searchable
            allowDeselect={false}
            data={textLanguages.map((value) => ({ value, label: nameOf(value) }))}
            value={language}
            onChange={(value) => setLanguage(textLanguages.find((each) => each === value) ?? 'english')}
          />
          <Select
            label="Region"
            placeholder="Default"
            clearable
            data={[...(regions.data ?? [])]}
            value={region}
            onChange={setRegion}
          />
        </>
      )}
    </Dialog>
  );
};
