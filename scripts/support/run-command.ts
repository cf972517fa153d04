/** Runs a command. An error ends it with its message as one line, and with exit code 1. */
export const runCommand = async (command: () => void | Promise<void>): Promise<void> => {
  try {
    await command();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
};
