import { companyStyles } from '../../data/names.ts';
import type { Random } from '../../random.ts';

/** A name that could be in a commercial register of the country, and its short form; each pair is given out once. */
export function companyNames(
  { pick }: Random,
  taken: Set<string>,
): (country: string) => { name: string; legalName: string } {
  return (country) => {
    const style = companyStyles[country] ?? companyStyles.GB;
    if (!style) throw new Error(`There are no names for ${country}`);
    let name = `${pick(style.names)} ${pick(style.trades)}`;
    for (let attempt = 0; taken.has(name); attempt++) {
      name = attempt < 20 ? `${pick(style.names)} & ${pick(style.names)} ${pick(style.trades)}` : `${name} ${attempt}`;
    }
    taken.add(name);
    return { name, legalName: `${name} ${style.form}` };
  };
}

/** A host name of the reserved domain, from a company name. */
export function hostOf(name: string): string {
  const plain = name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return `${plain.replaceAll(/^-|-$/g, '')}.example`;
}
