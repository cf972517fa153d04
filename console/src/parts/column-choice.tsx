import { Button, Checkbox, Popover, Stack, Text } from '@mantine/core';

/** Button that opens the choice of the columns of a list. */
export const ColumnChoice = ({
  all,
  chosen,
  onChange,
  onOpen,
}: {
  /** Names of the columns that can be shown. */
  readonly all: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly onOpen?: () => void;
}) => (
  <Popover position="bottom-end" withinPortal={false} trapFocus {...(onOpen === undefined ? {} : { onOpen })}>
    <Popover.Target>
      <Button size="compact-xs" variant="default">
        Columns
      </Button>
    </Popover.Target>
    <Popover.Dropdown style={{ maxHeight: '50vh', overflow: 'auto' }}>
      <Stack gap={6}>
        {all.length === 0 && <Text size="sm">There are no further columns.</Text>}
        {all.map((name) => (
          <Checkbox
            key={name}
            size="xs"
            label={name}
            checked={chosen.includes(name)}
            onChange={({ currentTarget }) =>
              onChange(all.filter((each) => (each === name ? currentTarget.checked : chosen.includes(each))))
            }
          />
        ))}
      </Stack>
    </Popover.Dropdown>
  </Popover>
);
