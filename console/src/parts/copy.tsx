import {
  Box,
  Button,
  Code,
  CopyButton,
  Group,
  ScrollArea,
  Tabs,
  Text,
  Tooltip,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';

/** Button that copies a text. */
export const Copy = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Button size="compact-xs" variant="default" onClick={copy} aria-live="polite">
        {copied ? 'Copied' : label}
      </Button>
    )}
  </CopyButton>
);

/** An id, shortened, which a click copies. */
export const Id = ({ id }: { readonly id: string }) => (
  <CopyButton value={id}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : `Copy ${id}`} withArrow>
        <UnstyledButton px={4} onClick={copy}>
          <VisuallyHidden>Copy</VisuallyHidden>{' '}
          <Text span size="xs" ff="monospace">
            {id.length > 16 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id}
          </Text>
        </UnstyledButton>
      </Tooltip>
    )}
  </CopyButton>
);

/** Code in several languages, with buttons to copy it. */
export const CodeTabs = ({ codes }: { readonly codes: Readonly<Record<string, string>> }) => (
  <Tabs defaultValue={Object.keys(codes)[0] ?? null} variant="outline">
    <Tabs.List>
      {Object.keys(codes).map((language) => (
        <Tabs.Tab key={language} value={language}>
          {language}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {Object.entries(codes).map(([language, code]) => (
      <Tabs.Panel key={language} value={language} pt="xs">
        <Box pos="relative">
          <ScrollArea>
            <Code block tabIndex={0} aria-label={`Code in ${language}`}>
              {code}
            </Code>
          </ScrollArea>
          <Group pos="absolute" top={8} right={8}>
            <Copy text={code} />
          </Group>
        </Box>
      </Tabs.Panel>
    ))}
  </Tabs>
);
