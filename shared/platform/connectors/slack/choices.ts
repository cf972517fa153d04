import { choicesNamed, type Choices, type ChoicesInput, unknownParent } from '../port.ts';
import { textAt } from '../read-text.ts';
import { slackClient, slackCode, slackFault } from './client.ts';

const channelsPerPage = 200;

/** Lists the channels that the app can see. It reads those that it has joined. */
export const slackChoices = async (
  slackApiUrl: string,
  { credentials, now, parent, cursor, search }: ChoicesInput,
): Promise<Choices> => {
  if (parent !== null) throw unknownParent();
  try {
    const { channels = [], response_metadata: more } = await slackClient(
      textAt(credentials, 'token'),
      slackApiUrl,
    ).conversations.list({
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: channelsPerPage,
      ...(cursor === null ? {} : { cursor }),
    });
    const choices = channels.map(({ id = '', name = id, is_member: isAccessible = false }) => ({
      name: `#${name}`,
      scope: { field: 'slack_channels', id } as const,
      parent: null,
      isAccessible,
    }));
    return { choices: choicesNamed(choices, search), next: more?.next_cursor || null };
  } catch (error) {
    throw slackCode(error) === 'invalid_cursor' ? unknownParent() : slackFault(error, now);
  }
};
