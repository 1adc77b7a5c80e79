/** Actor of changes from the command line in the audit log. */
export const OPERATOR = 'operator';
