import { z } from 'zod'
import { defineErrors } from '@headwater/contract'

/** Maximum number of e-mail addresses in a request that shares an object. */
export const maxRecipients = 100

/** An e-mail address in lower case; the error quotes an invalid address. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(320)
  .pipe(z.email({ error: ({ input }) => `“${String(input)}” is not an e-mail address.` }))

/** Errors of requests that share an object with users. */
export const sharingErrors = defineErrors({
  usersNotFound: {
    status: 400,
    message: ({ emails, hint = '' }: { emails: string; hint?: string }) =>
      `No active user found for: ${emails}. You can share only with people who have an account.${hint === '' ? '' : ` ${hint}`}`,
  },
  usersNotActivated: {
    status: 400,
    message: ({ emails }: { emails: string }) =>
      `You cannot share with ${emails} yet. An invited user must first choose a password with the link in the invitation.`,
  },
  sharingOff: {
    status: 403,
    message: () => 'Sharing is switched off on this server. Ask an administrator to switch it on.',
  },
})
