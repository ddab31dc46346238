import { AppError } from '@headwater/contract'
import { sharingErrors } from '../contract/index.ts'

/** An active user with whom an object is shared. */
export interface Recipient {
  /** Id of the user. */
  userId: number
  /** E-mail address of the user, as in the request. */
  email: string
}

/**
 * Returns the active users with these e-mail addresses, without duplicates.
 * @param request.field field of the request with the addresses, for the errors
 * @param request.hint sentence for addresses without a user; default none
 * @throws usersNotActivated, usersNotFound
 */
export async function findRecipients(
  findUser: (email: string) => Promise<{ userId: number; status: string } | undefined>,
  { emails, field, hint }: { emails: readonly string[]; field: string; hint?: string },
): Promise<Recipient[]> {
  const users = await Promise.all(
    [...new Set(emails)].map(async (email) => ({ email, user: await findUser(email) })),
  )
  const emailsWhere = (matches: (status: string | undefined) => boolean) =>
    users.filter(({ user }) => matches(user?.status)).map(({ email }) => email)
  const pending = emailsWhere((status) => status === 'PENDING')
  if (pending.length > 0)
    throw atField(sharingErrors.usersNotActivated({ emails: pending.join(', ') }), field)
  const unknown = emailsWhere((status) => status !== 'ACTIVE')
  if (unknown.length > 0)
    throw atField(
      sharingErrors.usersNotFound({ emails: unknown.join(', '), ...(hint === undefined ? {} : { hint }) }),
      field,
    )
  return users.map(({ email, user }) => ({ email, userId: user!.userId }))
}

function atField({ code, status, message }: AppError, field: string): AppError {
  return new AppError(code, status, message, [{ field, message }])
}
