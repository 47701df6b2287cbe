import type { Random, Weighted } from './random.ts';

const NAMES =
  'María Carmen Lucía Ana Isabel Laura Marta Cristina Pilar Elena Rosa Teresa Beatriz Silvia Raquel Mónica Inmaculada Begoña Nuria Montserrat Rocío Ángela Inés Sofía Julia Alba Noelia Yolanda Esther Eva Irene Natalia Lorena Verónica Amparo Concepción Consuelo Encarnación Macarena Ainhoa Itziar Uxía Antía Aitana Martina Leonor Jimena Belén Dolores Asunción María_José María_del_Mar María_Jesús Ana_Belén Rosa_María ' +
  'Antonio José Manuel Francisco David Juan Javier Daniel Carlos Jesús Alejandro Miguel Rafael Pedro Pablo Ángel Sergio Fernando Jorge Luis Alberto Álvaro Adrián Diego Raúl Enrique Ramón Vicente Iván Rubén Óscar Andrés Joaquín Santiago Eduardo Víctor Mario Jaime Ignacio Íñigo Iñaki Aitor Xabier Jordi Oriol Martín Nicolás Gonzalo Agustín Sebastián José_Antonio José_Luis Juan_Carlos Francisco_Javier Miguel_Ángel Juan_José';
const SURNAMES =
  'García González Rodríguez Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez Serrano Blanco Molina Morales Suárez Ortega Delgado Castro Ortiz Rubio Marín Sanz Núñez Iglesias Medina Garrido Cortés Castillo Santos Lozano Guerrero Cano Prieto Méndez Cruz Calvo Gallego Vidal León Márquez Herrera Peña Flores Cabrera Campos Vega Fuentes Carrasco Díez Caballero Nieto Reyes Aguilar Pascual Herrero Santana Lorenzo Hidalgo Montero Ibáñez Giménez Ferrer Durán Santiago Benítez Mora Vicente Vargas Arias Carmona Crespo Román Pastor Soto Sáez Velasco Moya Soler Parra Esteban Bravo Gallardo Rojas Pardo Merino Franco Espinosa Izquierdo Lara Rivas Silva Rivera Casado Arroyo Redondo Camacho Rey Vera Otero Luque Galán Montes Ríos Sierra Segura Carrillo Marcos Martí Soriano Mendoza Bernal Robles Vila Valero Palacios Expósito Benito Andrés Varela Pereira Macías Guerra Heredia Bueno Roldán Mateo Villar Contreras Miranda Guillén Mateos Escudero Aguilera Menéndez Casas Aparicio Rivero Estévez Beltrán Padilla Gracia Calderón Abad Galindo Conde Salazar Quintana Jurado Plaza Acosta Aranda Etxeberria Agirre Zabala Goñi Urrutia Castaño Cañas Patiño Ordóñez Briones Muñiz Yáñez Zúñiga Peñalver Español';
const FIRST = NAMES.split(' ').map((name) => name.replaceAll('_', ' '));
const LAST = SURNAMES.split(' ').map((name) => name.replaceAll('_', ' '));

const BUSINESSES = ['Bar', 'Restaurante', 'Mesón', 'Cafetería', 'Casa Rural', 'Hotel', 'Ultramarinos', 'Taberna', 'Asador', 'Gastrobar'];
const BUSINESS_NAMES =
  'La Parra|El Olivar|Casa Julián|Los Naranjos|La Encina|El Puente|Doña Inés|La Muralla|Peña Alta|El Rincón de Begoña|Santa Eulalia|La Cañada|El Molino|Hermanos Núñez|La Espadaña|Puerta Grande|El Cigüeñal|Los Álamos|Rosendo|La Bodeguita del Sur';
const BUSINESS = BUSINESS_NAMES.split('|');

export const personName = (random: Random) => `${random.pick(FIRST)} ${random.pick(LAST)} ${random.pick(LAST)}`;
export const businessName = (random: Random) => `${random.pick(BUSINESSES)} ${random.pick(BUSINESS)}`;

const PHONES: Weighted<string> = [
  ['6## ### ###', 30],
  ['6## ## ## ##', 20],
  ['6########', 18],
  ['+34 6## ### ###', 12],
  ['7## ### ###', 6],
  ['+346########', 4],
  ['6##-###-###', 4],
  ['0034 6## ## ## ##', 2],
  ['(+34) 6##.###.###', 1],
  ['9## ## ## ##', 8],
];
export const randomPhone = (random: Random) => (random.chance(0.02) ? null : random.fill(random.weighted(PHONES)));
