import { browserUses, ChoicesRequest, findChoices } from '../../../shared/connectors/index.ts';
import { connectorBrowserFunction } from '../../../shared/platform/connectors/names.ts';
import { service } from '../../../shared/pipeline/worker.ts';

export const connectorBrowser = service({
  id: connectorBrowserFunction,
  summary: 'Lists what the scopes of connectors can contain, with their credentials',
  scope: 'home',
  request: ChoicesRequest,
  uses: browserUses,
  memoryMb: 512,
  // Shorter than the timeout of the callers.
  timeoutSeconds: 28,
  handle: ({ request, deps, run }) => findChoices({ deps, run }, request),
});
