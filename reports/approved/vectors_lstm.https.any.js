// META: title=vectors of the WebNN API lstm operation
// META: global=window,dedicatedworker
// META: variant=?cpu
// META: variant=?gpu
// META: variant=?npu
// META: script=../resources/utils.js
// META: timeout=long

'use strict';

// Vectors of ONNX's recurrent operators, version 1.2.3, made by `cellproof vectors`. A tolerance is the least one
// that admits every element's interval.
const lstmTests = [
{"name":"LSTM-01","graph":{"inputs":{"lstmInput":{"data":[0.7418236136436462,-1.6688746213912964],"descriptor":{"shape":[2,1,1],"dataType":"float32"}},"lstmWeight":{"data":[0.42138418555259705,0.8849096894264221,0.5984351634979248,-0.3119606673717499,0.775486171245575,0.48901164531707764,0.9525371193885803,0.6660626530647278],"descriptor":{"shape":[2,4,1],"dataType":"float32"},"constant":true},"lstmRecurrentWeight":{"data":[-0.5303977727890015,-0.9939233064651489,-0.7074487805366516,-0.4209742546081543,-0.884499728679657,-0.5980252623558044,-0.31155073642730713,-0.7750762104988098],"descriptor":{"shape":[2,4,1],"dataType":"float32"},"constant":true},"lstmBias":{"data":[-0.2135758101940155,0.16583006083965302,-0.24308431148529053,0.19533854722976685,-0.2066098004579544,0.15886405110359192,0.23611828684806824,-0.18837253749370575],"descriptor":{"shape":[2,4],"dataType":"float32"},"constant":true},"lstmRecurrentBias":{"data":[0.44277840852737427,-0.674541175365448,0.531303882598877,-0.3880666494369507,0.4218803644180298,-0.6536431312561035,0.5104058384895325,-0.7421686053276062],"descriptor":{"shape":[2,4],"dataType":"float32"},"constant":true},"lstmPeepholeWeight":{"data":[-0.31460222601890564,-0.6236192584037781,0.43263623118400574,-0.7416532039642334,0.5506702065467834,-0.3596872091293335],"descriptor":{"shape":[2,3],"dataType":"float32"},"constant":true},"lstmInitialHiddenState":{"data":[0.32279178500175476,-0.6318087577819824],"descriptor":{"shape":[2,1,1],"dataType":"float32"}},"lstmInitialCellState":{"data":[-0.5847406387329102,-0.3937576413154602],"descriptor":{"shape":[2,1,1],"dataType":"float32"}}},"operators":[{"name":"lstm","arguments":[{"input":"lstmInput"},{"weight":"lstmWeight"},{"recurrentWeight":"lstmRecurrentWeight"},{"steps":2},{"hiddenSize":1},{"options":{"direction":"both","activations":["sigmoid","tanh","relu"],"bias":"lstmBias","recurrentBias":"lstmRecurrentBias","peepholeWeight":"lstmPeepholeWeight","initialHiddenState":"lstmInitialHiddenState","initialCellState":"lstmInitialCellState"}}],"outputs":["lstmOutput","lstmCell"]}],"expectedOutputs":{"lstmOutput":{"data":[-0.5,-0.5],"descriptor":{"shape":[2,1,1],"dataType":"float32"}},"lstmCell":{"data":[0.75,0.75],"descriptor":{"shape":[2,1,1],"dataType":"float32"}}}}},
];

const lstmTolerances = {"LSTM-01":0.0625};
const lstmToleranceOfGraph = new Map(lstmTests.map(({name, graph}) => [graph, lstmTolerances[name]]));
const getLstmPrecisionTolerance = (graphResources) =>
    ({metricType: 'ATOL', value: lstmToleranceOfGraph.get(graphResources)});

if (navigator.ml) {
  lstmTests.forEach((test) => {
    webnn_conformance_test(buildAndExecuteGraph, getLstmPrecisionTolerance, test);
  });
} else {
  test(() => assert_implements(navigator.ml, 'missing navigator.ml'));
}
