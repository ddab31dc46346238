import type { Mail } from '@headwater/server-kit'

/** Validity of the link in a reset mail. */
export const resetLinkHours = 1
/** Validity of an activation link. */
export const activationLinkDays = 7

/** Returns the e-mail with the link to set a new password. */
export function resetMail(options: { to: string; title: string; origin: string; token: string }): Mail {
  const { to, title, origin, token } = options
  return {
    to,
    subject: `${title}: set a new password`,
    text: [
      `Someone requested a new password for ${to} at ${title}.`,
      `To set it, open this link within ${resetLinkHours} hour:`,
      `${origin}/ChangePassword/${token}`,
      'If this was not you, ignore this e-mail. Your password will not change.',
    ].join('\n\n'),
  }
}

/** Returns the e-mail with the link to set the first password. */
export function activationMail(options: {
  to: string
  title: string
  origin: string
  token: string
  templateName?: string | undefined
  withWelcomeEmail: boolean
}): Mail {
  const { to, title, origin, token, templateName, withWelcomeEmail } = options
  const template = templateName === undefined ? '' : `/${encodeURIComponent(templateName)}`
  const query = withWelcomeEmail ? '?withWelcomeEmail=true' : ''
  return {
    to,
    subject: `${title}: activate your account`,
    text: [
      `An account was created for ${to} at ${title}.`,
      `To set your password and log in, open this link within ${activationLinkDays} days:`,
      `${origin}/Activate/${token}${template}${query}`,
    ].join('\n\n'),
  }
}

/** Returns the e-mail that confirms an activation. */
export function welcomeMail(options: { to: string; title: string; origin: string }): Mail {
  const { to, title, origin } = options
  return {
    to,
    subject: `Welcome to ${title}`,
    text: [
      `Your account ${to} is active.`,
      `Open ${title}: ${origin}/`,
      `Store your own files in your home group, ${to}_home.`,
    ].join('\n\n'),
  }
}
