import { fileURLToPath } from 'node:url'

export type { UserStatus } from './account-tables.ts'
export { createAccounts, type Accounts } from './create-accounts.ts'
export type { FavouriteObject, FavouriteObjects } from './favourite-objects.ts'
export { createPasswordHasher, type PasswordHasher } from './password-hasher.ts'
export { findRecipients, type Recipient } from './recipients.ts'
export { readProductConfiguration } from './product-configuration.ts'

/** The folder of this feature's SQL migrations. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
