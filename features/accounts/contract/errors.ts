import { countOf, cutText, defineErrors } from '@headwater/contract'

/** Errors of sign-in, users and settings. */
export const accountErrors = defineErrors({
  wrongCredentials: {
    status: 401,
    message: () =>
      'User not authorized. The e-mail address or the password is wrong, or the user is not active.',
  },
  accountDeactivated: {
    status: 401,
    message: () => 'This account is deactivated. An administrator can activate it again.',
  },
  tooManyAttempts: {
    status: 403,
    message: ({ waitSeconds }: { waitSeconds: number }) =>
      `There were too many attempts. Wait ${countOf(waitSeconds, 'second')} and try again.`,
    retryAfterSeconds: ({ waitSeconds }) => waitSeconds,
  },
  sessionEnded: { status: 401, message: () => 'The session has ended. Log in again.' },
  wrongCurrentPassword: {
    status: 400,
    message: () => 'The current password is wrong.',
    field: 'currentPassword',
  },
  passwordCommon: {
    status: 400,
    message: () => 'This password is too common. Choose another one, for example several words.',
    field: 'password',
  },
  passwordOwnName: {
    status: 400,
    message: () =>
      'This password is too similar to your e-mail address. Choose another one, for example several words.',
    field: 'password',
  },
  linkNotValid: { status: 404, message: () => 'This link is no longer valid. Request a new one.' },
  tabsNotJson: {
    status: 400,
    message: () => 'Dashboard user tabs is not a proper JSON',
    field: 'dashboardUserTabs',
  },
  favouritesNotJson: {
    status: 400,
    message: ({ setting }: { setting: string }) => `The setting ${setting} must be a JSON array.`,
  },
  settingNotJson: {
    status: 400,
    message: ({ setting }: { setting: string }) => `The setting ${setting} must be a JSON object.`,
  },
  apiKeysOff: {
    status: 403,
    message: () =>
      'API keys are switched off on this server. Log in with a password, or ask an administrator.',
  },
  tooManyApiKeys: {
    status: 400,
    message: () => 'A user can have at most 50 API keys. Delete one that is no longer used.',
  },
  expiryPast: {
    status: 400,
    message: () => 'This date has passed. Choose a later one, or none.',
    field: 'expiresAt',
  },
  expiryTooLate: {
    status: 400,
    message: () => 'The latest possible expiry is the end of 9999 (UTC). Choose an earlier date, or none.',
    field: 'expiresAt',
  },
  apiKeyByApiKey: {
    status: 403,
    message: () => 'An API key cannot create API keys. Log in with your password and create the key.',
  },
  apiKeyNotFound: { status: 404, message: () => 'API key not found. Reload the page.' },
  userApiKeyNotFound: {
    status: 404,
    message: () => 'This user has no such API key. It may have been deleted; reload the page.',
  },
  userExists: {
    status: 400,
    message: ({ email }: { email: string }) => `A user with the e-mail address ${email} already exists.`,
    field: 'email',
  },
  userNotFound: {
    status: 404,
    message: ({ userName }: { userName: string }) =>
      `There is no user ${cutText(userName)} that you can manage. Check the address.`,
  },
  lastAdministrator: {
    status: 409,
    message: () => 'This is the only active administrator. Make another user an administrator first.',
  },
  roleNotFound: {
    status: 400,
    message: ({ id }: { id: number }) => `There is no role with the id ${id}.`,
    field: 'roleIds',
  },
  companyNotFound: {
    status: 400,
    message: ({ company }: { company: string }) => `There is no company ${company}.`,
    field: 'company',
  },
})

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
