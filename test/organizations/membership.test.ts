import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { freshIdempotencyContext } from '../../shared/http/idempotency.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { type Deps, makeDeps } from '../../shared/kernel/capability.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { plans } from '../../shared/kernel/plans.ts';
import {
  acceptInvitation,
  invitationsWrite,
  invite,
  membersWrite,
  organizationsWrite,
  removeMember,
} from '../../shared/organizations/index.ts';
import { openTable } from '../../shared/db/table.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { everyPoint } from '../support/every-point.ts';

const cloud = new Cloud();
const uses = { organizations: organizationsWrite, members: membersWrite, invitations: invitationsWrite };
let deps: Deps<typeof uses>;
before(async () => {
  await cloud.start();
  deps = makeDeps(uses, cloud.runtime);
});
after(() => cloud.stop());

interface Person {
  readonly id: string;
  readonly email: string;
  readonly organizationId: string;
}

const newPerson = async (): Promise<Person> => {
  const email = `${randomUUID()}@example.com`;
  const { user, memberships } = await deps.organizations.signIn({ issuer: 'i', subject: email, email, name: '' });
  return { id: user.id, email, organizationId: memberships[0]?.organizationId ?? '' };
};

const asOwner = ({ id, email, organizationId }: Person): Principal => ({
  organizationId,
  plan: 'scale',
  kind: 'session',
  subjectId: id,
  creators: [],
  permissions: ['read', 'write'],
  indexIds: null,
  bounds: null,
  limits: null,
  expiresAt: null,
  role: 'owner',
  creatorRole: null,
  credentialHash: '',
  email,
});

/** Returns the idempotency context of a request, the same for its repeats. */
const newRequest = () => {
  const idempotency = freshIdempotencyContext(cloud.runtime.clock);
  const receipt = idempotency.id('rcp');
  return { ...idempotency, id: () => receipt };
};

const inviteTo = (owner: Person, { email }: Person, role: 'owner' | 'member' = 'member') =>
  invite(deps, asOwner(owner), { email, role }, freshIdempotencyContext(cloud.runtime.clock));

/** Returns the error code; null for success. Throws other errors. */
const refusalOf = async (work: Promise<unknown>): Promise<string | null> => {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};

const isMember = async (owner: Person, { id }: Person): Promise<boolean> =>
  (await deps.members.list(owner.organizationId)).some(({ userId }) => userId === id);

/** Stride of the requests at which a run dies. `npm run test:faults` uses all of them. */
const step = Number(process.env['FAULT_STEP'] ?? 35);

/** Runs a scenario for each table request of `work`, at which `work` dies. */
const atEveryCrash = (
  arrange: () => Promise<{ readonly work: () => Promise<unknown>; readonly check: () => Promise<void> }>,
): Promise<number> =>
  everyPoint({ step, lostFrom: 2 }, async (fault) => {
    const { work, check } = await arrange();
    const reached = await cloud.dieAt(fault, work);
    await check();
    return reached;
  });

const arrangeInvitation = async () => {
  const [owner, guest] = [await newPerson(), await newPerson()];
  const invitation = await inviteTo(owner, guest);
  const accept = (request = newRequest()) => acceptInvitation(deps, guest, invitation.id, request);
  return { owner, guest, accept };
};

describe('the acceptance of an invitation', { concurrency: false }, () => {
  it('is completed by a repeat or another request after a run died at any request', async (t) => {
    const points = await atEveryCrash(async () => {
      const { owner, guest, accept } = await arrangeInvitation();
      const request = newRequest();
      return {
        work: () => accept(request),
        check: async () => {
          const other = await refusalOf(accept());
          assert.ok(other === null || other === 'conflict');
          const repeats = await Promise.all(Array.from({ length: 4 }, () => refusalOf(accept(request))));
          // If the first run had decided nothing, the other request decided.
          assert.equal(new Set(repeats).size, 1);
          assert.ok(other === null || repeats[0] === null);
          assert.ok(await isMember(owner, guest));
          assert.equal(await refusalOf(accept()), 'conflict');
        },
      };
    });
    t.diagnostic(`${points} crash points`);
  });

  it('does not restore a removed member if a run that died is repeated', async () => {
    await atEveryCrash(async () => {
      const { owner, guest, accept } = await arrangeInvitation();
      const request = newRequest();
      return {
        work: () => accept(request),
        check: async () => {
          if (!(await isMember(owner, guest))) return;
          await removeMember(deps, owner.organizationId, guest.id);
          await Promise.all([refusalOf(accept(request)), refusalOf(accept())]);
          assert.ok(!(await isMember(owner, guest)));
          assert.equal(await deps.organizations.membership(guest.id, owner.organizationId), null);
        },
      };
    });
  });

  it('does not restore a removed member if it is slow', async () => {
    const { owner, guest, accept } = await arrangeInvitation();
    const request = newRequest();
    const [reached, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let readings = 0;
    const slow = {
      ...deps.invitations,
      find: async (id: string) => {
        const found = await deps.invitations.find(id);
        readings += 1;
        // It has read that the guest may still join, but has not written yet.
        if (readings === 2) {
          reached.resolve();
          await resume.promise;
        }
        return found;
      },
    };
    const { id } = (await deps.invitations.list(owner.organizationId))[0] ?? { id: '' };
    const late = refusalOf(acceptInvitation({ ...deps, invitations: slow }, guest, id, request));
    await reached.promise;
    assert.equal(await refusalOf(accept(request)), null);
    await removeMember(deps, owner.organizationId, guest.id);
    resume.resolve();
    assert.equal(await late, 'conflict');
    assert.ok(!(await isMember(owner, guest)));
  });

  it('is refused after the invitation expired or was replaced', async () => {
    const { owner, guest, accept } = await arrangeInvitation();
    cloud.advance(7 * 24 * 3600);
    assert.equal(await refusalOf(accept()), 'conflict');
    assert.deepEqual(await deps.invitations.openFor(guest.email), []);
    const next = await inviteTo(owner, guest);
    assert.equal(await refusalOf(accept()), 'not_found');
    assert.equal(await refusalOf(acceptInvitation(deps, guest, next.id, newRequest())), null);
  });
});

it('a removal of a member that dies at any request is completed by its repeat', async () => {
  await atEveryCrash(async () => {
    const { owner, guest, accept } = await arrangeInvitation();
    await accept();
    return {
      work: () => removeMember(deps, owner.organizationId, guest.id),
      check: async () => {
        const standing = await deps.organizations.membership(guest.id, owner.organizationId);
        assert.equal(await isMember(owner, guest), standing !== null);
        const again = await refusalOf(removeMember(deps, owner.organizationId, guest.id));
        assert.equal(again, standing === null ? 'not_found' : null);
        assert.deepEqual(
          (await deps.organizations.membershipsOf(guest.id)).map(({ organizationId }) => organizationId),
          [guest.organizationId],
        );
        const next = await inviteTo(owner, guest);
        assert.equal(await refusalOf(acceptInvitation(deps, guest, next.id, newRequest())), null);
        assert.ok(await isMember(owner, guest));
      },
    };
  });
});

it('an organization always has an owner during concurrent role changes and removals', async () => {
  const action = fc.record({
    kind: fc.constantFrom('promote', 'demote', 'demote', 'remove', 'remove', 'join'),
    who: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 4, maxLength: 8 }), { minLength: 2, maxLength: 4 }),
      async (rounds) => {
        const owner = await newPerson();
        const { organizationId } = owner;
        const others = await Promise.all([newPerson(), newPerson(), newPerson()]);
        const people = [owner, ...others];
        const joinedAt = cloud.runtime.clock.now().toISOString();
        for (const { id: userId, email } of others)
          await deps.members.join(organizationId, { userId, email, role: 'owner', joinedAt }, () =>
            Promise.resolve(true),
          );
        const run = async ({ kind, who }: { readonly kind: string; readonly who: number }): Promise<unknown> => {
          const person = people[who] ?? owner;
          if (kind === 'promote') return deps.members.changeRole(organizationId, person.id, 'owner');
          if (kind === 'demote') return deps.members.changeRole(organizationId, person.id, 'member');
          if (kind === 'remove') return removeMember(deps, organizationId, person.id);
          const { id } = await inviteTo(owner, person, 'owner');
          return acceptInvitation(deps, person, id, newRequest());
        };
        for (const round of rounds) {
          await Promise.all(round.map((each) => refusalOf(run(each))));
          const organization = await deps.organizations.get(organizationId);
          assert.ok(organization !== null && organization.owners.size > 0);
          assert.ok(organization.owners.isSubsetOf(organization.members));
          const listed = await deps.members.list(organizationId);
          assert.deepEqual(new Set(listed.map(({ userId }) => userId)), organization.members);
        }
      },
    ),
    { numRuns: 10, seed: 7 },
  );
});

it('a user without an organization gets exactly one new organization', async () => {
  const person = await newPerson();
  const other = await newPerson();
  const { id } = await inviteTo(person, other, 'owner');
  await acceptInvitation(deps, other, id, newRequest());
  await removeMember(deps, person.organizationId, person.id);
  const identity = { issuer: 'i', subject: person.email, email: person.email, name: '' };
  const admitted = await Promise.all(Array.from({ length: 6 }, () => deps.organizations.signIn(identity)));
  const owned = admitted.map(({ memberships }) => memberships.map(({ organizationId }) => organizationId).join());
  assert.equal(new Set(owned).size, 1);
  assert.notEqual(owned[0], person.organizationId);
  assert.ok(!(await isMember(person, person)));
});

it('a user gets at most three new organizations in a month', async () => {
  const email = `${randomUUID()}@example.com`;
  const other = await newPerson();
  const admit = async (month: string): Promise<Person> => {
    const clock = { now: () => new Date(`${month}-10T12:00:00Z`) };
    const { organizations } = makeDeps(uses, { ...cloud.runtime, clock });
    const { user, memberships } = await organizations.signIn({ issuer: 'i', subject: email, email, name: '' });
    return { id: user.id, email, organizationId: memberships[0]?.organizationId ?? '' };
  };
  const leave = async (person: Person): Promise<void> => {
    const { id } = await inviteTo(person, other, 'owner');
    await acceptInvitation(deps, other, id, newRequest());
    await removeMember(deps, person.organizationId, person.id);
  };
  for (let count = 0; count < 2; count += 1) await leave(await admit('2026-03'));
  const third = await admit('2026-03');
  assert.deepEqual(await admit('2026-03'), third);
  await leave(third);
  assert.equal(await refusalOf(admit('2026-03')), 'forbidden');
  await leave(await admit('2026-04'));
  assert.equal(await refusalOf(admit('2026-04')), null);
});

const identityOf = (person: Person, email: string, name = '') => ({ issuer: 'i', subject: person.email, email, name });

/** Returns what the organization of `owner` lists about a person. */
const shownIn = async (owner: Person, { id }: Person): Promise<string | undefined> =>
  (await deps.members.list(owner.organizationId)).find(({ userId }) => userId === id)?.email;

/** Returns the e-mail addresses in all membership items of a person. */
const kept = async ({ id }: Person): Promise<readonly unknown[]> => {
  const table = openTable(cloud.runtime, 'organizations');
  const memberships = await Array.fromAsync(table.all(`USER#${id}`, { prefix: 'ORG#' }));
  const members = await Promise.all(memberships.map(({ sk }) => table.get({ pk: sk, sk: `MEMBER#${id}` })));
  return [...memberships, ...members].map((item) => item?.['email']);
};

describe('a changed e-mail address', { concurrency: false }, () => {
  it('is updated in every organization by the next sign-in after one that died', async (t) => {
    const points = await atEveryCrash(async () => {
      const { owner, guest, accept } = await arrangeInvitation();
      await accept();
      const moved = identityOf(guest, `${randomUUID()}@example.com`, 'Ada');
      return {
        work: () => deps.organizations.signIn(moved),
        check: async () => {
          const { user } = await deps.organizations.signIn(moved);
          assert.deepEqual(user, { id: guest.id, email: moved.email, name: 'Ada' });
          assert.equal(await shownIn(owner, guest), moved.email);
          assert.deepEqual(
            await kept(guest),
            Array.from({ length: 4 }, () => moved.email),
          );
        },
      };
    });
    t.diagnostic(`${points} crash points`);
  });

  it('is consistent after a sign-in that follows concurrent sign-ins', async () => {
    const { owner, guest, accept } = await arrangeInvitation();
    await accept();
    const [one, two] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([one, two, one, two].map((email) => deps.organizations.signIn(identityOf(guest, email))));
      await deps.organizations.signIn(identityOf(guest, one));
      assert.deepEqual(await kept(guest), [one, one, one, one]);
      assert.equal(await shownIn(owner, guest), one);
    }
  });

  it('does not restore a removed member', async () => {
    const { owner, guest, accept } = await arrangeInvitation();
    await accept();
    await removeMember(deps, owner.organizationId, guest.id);
    const { memberships } = await deps.organizations.signIn(identityOf(guest, `${randomUUID()}@example.com`));
    assert.equal(memberships.length, 1);
    assert.equal((await kept(guest)).length, 2);
  });

  it('does not prevent completing an acceptance under the old address', async () => {
    const [owner, guest] = [await newPerson(), await newPerson()];
    const invitation = await inviteTo(owner, guest);
    const at = cloud.runtime.clock.now().toISOString();
    await deps.invitations.accept(invitation, { userId: guest.id, as: 'a request that died', at });
    const moved = { ...guest, email: `${randomUUID()}@example.com` };
    await deps.organizations.signIn(identityOf(guest, moved.email));
    assert.equal(await refusalOf(acceptInvitation(deps, await newPerson(), invitation.id, newRequest())), 'not_found');
    assert.equal(await refusalOf(acceptInvitation(deps, moved, invitation.id, newRequest())), null);
    assert.equal(await shownIn(owner, guest), moved.email);
  });

  it('does not occupy a second seat after an acceptance that died at its last request', async () => {
    const [owner, guest] = [await newPerson(), await newPerson()];
    const invitation = await inviteTo(owner, guest);
    const joinedAt = cloud.runtime.clock.now().toISOString();
    await deps.invitations.accept(invitation, { userId: guest.id, as: 'a request that died', at: joinedAt });
    const member = { userId: guest.id, email: guest.email, role: 'member', joinedAt } as const;
    assert.ok(await deps.members.join(owner.organizationId, member, () => Promise.resolve(true)));
    await deps.organizations.signIn(identityOf(guest, `${randomUUID()}@example.com`));
    const caller = { ...asOwner(owner), plan: 'developer' } as const;
    for (let free = plans.developer.limits.members - 2; free >= 0; free -= 1) {
      const email = `${randomUUID()}@example.com`;
      const refusal = await refusalOf(
        invite(deps, caller, { email, role: 'member' }, freshIdempotencyContext(cloud.runtime.clock)),
      );
      assert.equal(refusal, free === 0 ? 'plan_limit_reached' : null);
    }
  });

  it('keeps the stored name if the provider returns none', async () => {
    const person = await newPerson();
    await deps.organizations.signIn(identityOf(person, person.email, 'Ada'));
    const { user } = await deps.organizations.signIn(identityOf(person, person.email));
    assert.equal(user.name, 'Ada');
  });
});
