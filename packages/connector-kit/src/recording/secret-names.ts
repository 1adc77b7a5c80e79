/** Whether the value of a property, a parameter or a header with this name is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name) && !POSITION.test(name);
}

const SECRET =
  /(?:token|secret|password|passwd|passphrase|signature|authorization|credentials?|api[_-]?key|access[_-]?key|session(?:[_-]?(?:id|key))?)$/i;

/** Positions in lists, and versions of rows, are named as tokens as well. */
const POSITION = /(?:page|next|skip|delta|sync|continuation|cursor|concurrency)[_-]?token$/i;
