import Type from 'typebox';
import { job } from '../../platform/jobs/job.ts';

/** The link is a secret: it waits in the queue sealed. */
export const SEAL = 'invite mail';

export const sendInvite = job({
  name: 'invites.send',
  input: Type.Object({ email: Type.String(), organization: Type.String(), sealedLink: Type.String() }),
  async run(ctx, { email, organization, sealedLink }) {
    const link = ctx.keys.open(SEAL, Buffer.from(sealedLink, 'base64'));
    await ctx.mail({
      to: email,
      subject: `You are invited to ${organization}`,
      text:
        `You are invited to join ${organization} on Octavo.\n\nOpen this link to accept; it works once, for 14 days:\n\n` +
        `${link}\n\nIf you did not expect this, ignore it: nothing happens unless the link is opened.\n`,
    });
  },
});
