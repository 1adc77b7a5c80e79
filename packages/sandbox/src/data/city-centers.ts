/** Latitude and longitude of the center of some cities. */
export const cityCenters: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  Hamburg: [53.550341, 10.000654],
  Sheffield: [53.381129, -1.470085],
  Gliwice: [50.294492, 18.67138],
  Munich: [48.137154, 11.576124],
  Nuremberg: [49.452103, 11.076665],
  Stuttgart: [48.775846, 9.182932],
  Cologne: [50.937531, 6.960279],
  Dortmund: [51.513587, 7.465298],
};
