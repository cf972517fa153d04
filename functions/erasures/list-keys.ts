import * as z from 'zod';
import { ReceiptKeyResponse, receiptSigner } from '../../shared/erasures/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const listReceiptKeys = endpoint({
  id: 'list-receipt-keys',
  method: 'GET',
  path: '/v1/receipt-keys',
  tag: 'Erasures',
  summary: 'List the keys of receipts',
  description: 'Public keys by which anyone can verify the receipt of an erasure.',
  auth: { needs: 'none' },
  uses: { signer: receiptSigner },
  status: 200,
  response: z.array(ReceiptKeyResponse),
  handle: async ({ deps }) => {
    const { id, publicKey } = await deps.signer.key();
    return [{ id, algorithm: 'Ed25519' as const, public_key: publicKey }];
  },
});
