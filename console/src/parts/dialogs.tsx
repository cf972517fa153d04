import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { divideError, type ErrorOf } from './notices.tsx';

interface DialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Fields, which show their own problems. */
  readonly children?: ReactNode | ((errorOf: ErrorOf) => ReactNode);
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
  const edit = (): void => {
    if (mutation.isError) mutation.reset();
  };
  const { errorOf, notice } = divideError(mutation.error);
  return (
    <Modal opened={opened} onClose={close} title={title} centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
        onInput={edit}
        onClick={({ target }) => {
          // A chosen option is an edit without input.
          if ((target as Element).closest('[role=option]') !== null) edit();
        }}
      >
        <Stack>
          {typeof children === 'function' ? children(errorOf) : children}
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
          {notice()}
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
