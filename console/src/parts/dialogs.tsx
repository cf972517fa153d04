import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from './notices.tsx';

interface DialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children?: ReactNode;
  /** Runs the action. The dialog closes when it succeeds. */
  readonly run: () => Promise<unknown>;
  readonly action: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Text that has to be typed before the action can run. */
  readonly confirmBy?: string;
}

/** Form or confirmation in a dialog, with its error. */
export const Dialog = ({
  title,
  opened,
  onClose,
  children,
  run,
  action,
  danger = false,
  disabled = false,
  confirmBy,
}: DialogProps) => {
  const [typed, setTyped] = useState('');
  const mutation = useMutation({ mutationFn: run, onSuccess: () => close() });
  const close = (): void => {
    setTyped('');
    mutation.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <Stack>
          {children}
          {confirmBy !== undefined && (
            <TextInput
              data-autofocus
              label={
                <Text span size="sm">
                  Type <b>{confirmBy}</b> to confirm
                </Text>
              }
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
          {mutation.isError && <ErrorNotice error={mutation.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={mutation.isPending}
              disabled={disabled || (confirmBy !== undefined && typed !== confirmBy)}
              {...(danger && { color: 'red' })}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
