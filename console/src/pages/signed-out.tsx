import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { Logo } from '../parts/logo.tsx';
import { beginSignIn } from '../sign-in.ts';

export const SignedOut = () => (
  <Center h="100vh" component="main">
    <Stack align="center" gap="sm">
      <Logo size={48} />
      <Title order={1} size="h3">
        Strata
      </Title>
      <Text c="dimmed">Files in, passages out.</Text>
      <Button mt="md" size="md" onClick={() => void beginSignIn()}>
        Sign in
      </Button>
      <Button variant="subtle" size="compact-sm" onClick={() => void beginSignIn({ asOther: true })}>
        Use another account
      </Button>
    </Stack>
  </Center>
);
